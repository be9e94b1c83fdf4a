package org.lrwp.webapp.inspector;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** The beginning of a body. Thread-safe. */
public final class Part {
    private static final int ROOM = 256;

    private final int most;
    private byte[] bytes = {};
    private int kept;
    private long length;

    /** Keeps so many bytes. */
    Part(int most) {
        this.most = most;
    }

    /** Bytes go by; they stay as they are. */
    synchronized void add(ByteBuffer passing) {
        length += passing.remaining();
        int count = Math.min(passing.remaining(), most - kept);
        if (count > 0) {
            if (bytes.length - kept < count) {
                int room = Math.max(kept + count, Math.max(ROOM, 2 * bytes.length));
                bytes = Arrays.copyOf(bytes, Math.min(most, room));
            }
            passing.duplicate().get(bytes, kept, count);
            kept += count;
        }
    }

    /**
     * Returns how long the whole body was.
     *
     * @return bytes
     */
    public synchronized long length() {
        return length;
    }

    /**
     * Says whether all of it is here.
     *
     * @return false when there was more
     */
    public synchronized boolean isWhole() {
        return kept == length;
    }

    /** The bytes that are kept. */
    synchronized byte[] bytes() {
        return Arrays.copyOf(bytes, kept);
    }

    /** The memory that it takes. */
    synchronized int size() {
        return bytes.length;
    }

    /**
     * Returns the beginning as text.
     *
     * @return UTF-8, or {@code base64:} and its code where it is no text
     */
    public String text() {
        byte[] all = bytes();
        ByteBuffer left = ByteBuffer.wrap(all);
        CharBuffer text = CharBuffer.allocate(all.length);
        boolean cut = !isWhole();
        // What is cut may end amid a character.
        var result = StandardCharsets.UTF_8.newDecoder().decode(left, text, !cut);
        String read = text.flip().toString();
        boolean clean =
                !result.isError() && left.remaining() < 4 && read.chars().noneMatch(Part::isBinary);
        return clean ? read : "base64:" + Base64.getEncoder().encodeToString(all);
    }

    private static boolean isBinary(int c) {
        return Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t';
    }
}
