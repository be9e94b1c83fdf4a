package org.lrwp.testkit;

import org.lrwp.sdk.RequestHead;

import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The head of a request that a test makes: from 127.0.0.1 to the host {@code localhost}, without a
 * body, until it is said otherwise. Not thread-safe.
 */
public final class Head implements RequestHead {
    private static final String CONTENT = "CONTENT_";

    private final Map<String, String> environment = new HashMap<>();

    private Head(String method, String target) {
        int query = target.indexOf('?');
        environment.put("REQUEST_METHOD", method);
        environment.put("PATH_INFO", query < 0 ? target : target.substring(0, query));
        environment.put("QUERY_STRING", query < 0 ? "" : target.substring(query + 1));
        environment.put("REQUEST_URI", "/context" + target);
        environment.put("HTTP_HOST", "localhost");
        environment.put("REMOTE_ADDR", "127.0.0.1");
        environment.put("CONTENT_LENGTH", "0");
    }

    /**
     * Makes a request for what is behind the context {@code /context}.
     *
     * @param method for example {@code PUT}
     * @param target path and query behind the context
     * @return the head
     */
    public static Head of(String method, String target) {
        return new Head(method, target);
    }

    /**
     * Makes a GET.
     *
     * @param target path and query behind the context
     * @return the head
     */
    public static Head get(String target) {
        return new Head("GET", target);
    }

    /**
     * Adds a header field.
     *
     * @param name its name, in any case
     * @param value its value
     * @return this head
     */
    public Head with(String name, String value) {
        String variable = name.toUpperCase(Locale.ROOT).replace('-', '_');
        return variable(variable.startsWith(CONTENT) ? variable : "HTTP_" + variable, value);
    }

    /**
     * Sets a variable of the env block.
     *
     * @param name its name
     * @param value its value
     * @return this head
     */
    public Head variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /**
     * Says where the request comes from.
     *
     * @param address the client's
     * @return this head
     */
    public Head from(String address) {
        return variable("REMOTE_ADDR", address);
    }

    /**
     * Says how long its body is.
     *
     * @param bytes 0 for none, -1 when nobody knows
     * @return this head
     */
    public Head length(long bytes) {
        return variable("CONTENT_LENGTH", bytes < 0 ? "" : Long.toString(bytes));
    }

    @Override
    public Map<String, String> environment() {
        return Collections.unmodifiableMap(environment);
    }
}
