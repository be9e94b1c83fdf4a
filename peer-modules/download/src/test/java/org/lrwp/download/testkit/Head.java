package org.lrwp.download.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.RequestHead;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The head of a request, made in the test. */
public final class Head implements RequestHead {
    private final Map<String, String> environment = new HashMap<>();

    private Head(String method, String path) {
        environment.put("REQUEST_METHOD", method);
        environment.put("PATH_INFO", path);
        environment.put("REQUEST_URI", "/files" + path);
        environment.put("REMOTE_ADDR", "192.0.2.1");
    }

    /** A GET. */
    public static Head get(String path) {
        return new Head("GET", path);
    }

    /** Any method. */
    public static Head of(String method, String path) {
        return new Head(method, path);
    }

    /** With a header. */
    public Head with(String name, String value) {
        environment.put("HTTP_" + name.toUpperCase(Locale.ROOT).replace('-', '_'), value);
        return this;
    }

    /** With a variable of the env block. */
    public Head variable(String name, String value) {
        environment.put(name, value);
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
        return 0;
    }
}
