package org.lrwp.events.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.RequestHead;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The head of a request, made in the test. */
public final class Head implements RequestHead {
    private final Map<String, String> environment = new HashMap<>();
    private long bodyLength;

    private Head(String method, String target) {
        int query = target.indexOf('?');
        environment.put("REQUEST_METHOD", method);
        environment.put("PATH_INFO", query < 0 ? target : target.substring(0, query));
        environment.put("QUERY_STRING", query < 0 ? "" : target.substring(query + 1));
        environment.put("REQUEST_URI", "/events" + target);
        environment.put("REMOTE_ADDR", "127.0.0.1");
        with("Host", "here.example");
    }

    /** A request for what is behind the context. */
    public static Head of(String method, String target) {
        return new Head(method, target);
    }

    /** A long poll. */
    public static Head get(String target) {
        return new Head("GET", target);
    }

    /** A stream of server-sent events. */
    public static Head stream(String target) {
        return get(target).with("Accept", "text/event-stream");
    }

    /** A stream of JSON lines. */
    public static Head lines(String target) {
        return get(target).with("Accept", "application/x-ndjson");
    }

    /** With a header. */
    public Head with(String name, String value) {
        environment.put("HTTP_" + name.toUpperCase(Locale.ROOT).replace('-', '_'), value);
        return this;
    }

    /** From an address. */
    public Head from(String address) {
        environment.put("REMOTE_ADDR", address);
        return this;
    }

    /** With the length of its body; -1 for an unknown one. */
    public Head length(long octets) {
        bodyLength = octets;
        return this;
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public String method() {
        return environment.getOrDefault("REQUEST_METHOD", "");
    }

    @Override
    public String pathInfo() {
        return environment.getOrDefault("PATH_INFO", "");
    }

    @Override
    public String query() {
        return environment.getOrDefault("QUERY_STRING", "");
    }

    @Override
    public @Nullable String header(String name) {
        return environment.get("HTTP_" + name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    @Override
    public long bodyLength() {
        return bodyLength;
    }
}
