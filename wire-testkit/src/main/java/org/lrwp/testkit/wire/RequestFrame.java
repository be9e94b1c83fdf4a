package org.lrwp.testkit.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request as a peer gets it, taken apart strictly. */
public final class RequestFrame {
    private final byte[] block;
    private final byte[] body;
    private final Map<String, String> env = new LinkedHashMap<>();

    RequestFrame(byte[] block, byte[] body) {
        this.block = block;
        this.body = body;
        String text = Bytes.text(block);
        if (!text.endsWith("\0\0")) {
            throw new AssertionError("the env block does not end with two NULs: " + text);
        }
        List<String> entries = new ArrayList<>(List.of(text.split("\0", -1)));
        for (String entry : entries.subList(0, entries.size() - 2)) {
            int equals = entry.indexOf('=');
            if (equals < 1) {
                throw new AssertionError("an entry without name or '=': " + entry);
            }
            if (env.put(entry.substring(0, equals), entry.substring(equals + 1)) != null) {
                throw new AssertionError("twice in the env block: " + entry);
            }
        }
    }

    /** The variables in the order of the wire. */
    public Map<String, String> env() {
        return new LinkedHashMap<>(env);
    }

    /** A variable that must be there. */
    public String env(String name) {
        String value = env.get(name);
        if (value == null) {
            throw new AssertionError(name + " is not in the env block: " + env);
        }
        return value;
    }

    /** Whether a variable is there. */
    public boolean has(String name) {
        return env.containsKey(name);
    }

    /** The env block as it came. */
    public byte[] block() {
        return block.clone();
    }

    /** The variables, an empty line and the body. */
    public String lines() {
        return Bytes.text(block).replace('\0', '\n') + "\n" + text();
    }

    /** The body. */
    public byte[] body() {
        return body.clone();
    }

    /** The body in ISO 8859-1. */
    public String text() {
        return Bytes.text(body);
    }
}
