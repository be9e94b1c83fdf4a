package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An answer as it came, with what its framing was. */
public final class HttpAnswer {
    /** How the end of the body was told. */
    public enum Framing {
        /** There is no body. */
        NONE,
        /** By Content-Length. */
        LENGTH,
        /** By chunks. */
        CHUNKS,
        /** By the end of the connection. */
        CLOSE
    }

    private final String statusLine;
    private final List<Map.Entry<String, String>> fields;
    private final Framing framing;
    private final byte[] body;

    HttpAnswer(
            String statusLine,
            List<Map.Entry<String, String>> fields,
            Framing framing,
            byte[] body) {
        this.statusLine = statusLine;
        this.fields = List.copyOf(fields);
        this.framing = framing;
        this.body = body;
    }

    /** The first line. */
    public String statusLine() {
        return statusLine;
    }

    /** The three digits. */
    public int status() {
        return Integer.parseInt(statusLine.substring(9, 12));
    }

    /** All values of a field, in order. */
    public List<String> values(String name) {
        return fields.stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The value of a field that is there once. */
    public Optional<String> value(String name) {
        List<String> all = values(name);
        if (all.size() > 1) {
            throw new AssertionError(name + " is there " + all.size() + " times: " + all);
        }
        return all.stream().findFirst();
    }

    /** How the end of the body was told. */
    public Framing framing() {
        return framing;
    }

    /** The body, without chunks. */
    public byte[] body() {
        return body.clone();
    }

    /** The body in ISO 8859-1. */
    public String text() {
        return Bytes.text(body);
    }

    /** Whether the server said that it closes. */
    public boolean saysClose() {
        return values("Connection").stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    }

    @Override
    public String toString() {
        String text = text();
        return statusLine
                + " "
                + fields
                + " "
                + framing
                + " "
                + (text.length() > 200 ? text.substring(0, 200) + "..." : text);
    }
}
