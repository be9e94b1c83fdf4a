package org.lrwp.protocol.frame;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.Names;
import org.lrwp.protocol.UpgradeNames;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Goes through the settings of a payload, one after the other: docs/protocol.md section 14. */
final class SettingsReader {
    private final ByteBuffer payload;
    private String name = "";
    private String value = "";

    SettingsReader(ByteBuffer payload) {
        this.payload = payload;
    }

    /** Goes to the next setting; one without {@code =} has an empty value. */
    boolean next() throws MalformedFrameException {
        if (!payload.hasRemaining()) {
            return false;
        }
        int start = payload.position();
        int end = start;
        while (end < payload.limit() && payload.get(end) != 0) {
            end++;
        }
        if (end == payload.limit()) {
            throw new MalformedFrameException("a setting does not end with NUL");
        }
        byte[] bytes = new byte[end - start];
        payload.get(bytes).get();
        String setting = new String(bytes, StandardCharsets.ISO_8859_1);
        int equals = setting.indexOf('=');
        name = equals < 0 ? setting : setting.substring(0, equals);
        value = equals < 0 ? "" : setting.substring(equals + 1);
        return true;
    }

    String name() {
        return name;
    }

    /** Returns the value, cut off at a length. */
    String text(int most) {
        return value.length() > most ? value.substring(0, most) : value;
    }

    boolean flag() throws MalformedFrameException {
        return switch (value) {
            case "0" -> false;
            case "1" -> true;
            default -> throw new MalformedFrameException("setting " + name + " is not 0 or 1");
        };
    }

    UpgradeNames protocols() throws MalformedFrameException {
        try {
            return UpgradeNames.of(value);
        } catch (IllegalArgumentException e) {
            throw new MalformedFrameException("setting " + name + " is not a list of protocols");
        }
    }

    /** Returns a name, or an empty text. */
    String word() throws MalformedFrameException {
        if (!value.isEmpty() && !Names.isName(value)) {
            throw new MalformedFrameException("setting " + name + " is not " + Names.ALLOWED);
        }
        return value;
    }

    /** Returns a number that is not below the least and not above four bytes. */
    long number(long least) throws MalformedFrameException {
        long number = value.isEmpty() ? -1 : 0;
        for (int i = 0; i < value.length() && number >= 0; i++) {
            int digit = value.charAt(i) - '0';
            boolean right = digit >= 0 && digit <= 9;
            number = right ? number * 10 + digit : -1;
            if (number > Frames.MAX_U32) {
                number = -1;
            }
        }
        if (number < least) {
            throw new MalformedFrameException(
                    "setting " + name + " is not a number of " + least + " to " + Frames.MAX_U32);
        }
        return number;
    }

    /** Returns a number as above, or the greatest that fits. */
    int integer(long least) throws MalformedFrameException {
        return (int) Math.min(number(least), Integer.MAX_VALUE);
    }
}
