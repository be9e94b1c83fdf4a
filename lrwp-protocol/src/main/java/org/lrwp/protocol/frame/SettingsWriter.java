package org.lrwp.protocol.frame;

import java.nio.charset.StandardCharsets;

/** Builds a SETTINGS frame: docs/protocol.md section 14. */
final class SettingsWriter {
    /** Bytes of a name, at most. */
    static final int MAX_NAME = 200;

    private final StringBuilder text = new StringBuilder();

    SettingsWriter add(String name, String value) {
        text.append(name).append('=').append(value).append('\0');
        return this;
    }

    SettingsWriter add(String name, long value) {
        return add(name, Long.toString(value));
    }

    SettingsWriter add(String name, boolean value) {
        return add(name, value ? "1" : "0");
    }

    byte[] frame() {
        byte[] payload = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        return Frames.whole(FrameType.SETTINGS, 0, payload);
    }

    static void checkName(String name) {
        if (name.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "name has " + name.length() + " bytes, limit " + MAX_NAME);
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == 0 || c > 0xFF) {
                throw new IllegalArgumentException(
                        "name holds a character that cannot be sent: 0x" + Integer.toHexString(c));
            }
        }
    }

    static void checkRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " " + value + " is not within " + least + " to " + most);
        }
    }
}
