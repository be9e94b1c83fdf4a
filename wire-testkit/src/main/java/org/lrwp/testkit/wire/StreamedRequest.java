package org.lrwp.testkit.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A REQUEST frame taken apart: its slot, its env block, the bytes of the body that came with it,
 * and whether they are all.
 *
 * @param stream the slot
 * @param frame variables and body
 * @param isWhole whether the frame had END
 */
public record StreamedRequest(int stream, RequestFrame frame, boolean isWhole) {
    /** Takes a frame apart, which must be a REQUEST. */
    public static StreamedRequest of(Frame frame) {
        if (frame.type() != Frame.REQUEST || frame.stream() < 1) {
            throw new AssertionError("not a request: " + frame);
        }
        ByteBuffer payload = ByteBuffer.wrap(frame.payload());
        int length = payload.getInt();
        if (length < 0 || length > payload.remaining()) {
            throw new AssertionError("an env block of " + length + " bytes in " + frame);
        }
        int end = 4 + length;
        byte[] block = Arrays.copyOfRange(frame.payload(), 4, end);
        byte[] body = Arrays.copyOfRange(frame.payload(), end, frame.payload().length);
        return new StreamedRequest(frame.stream(), new RequestFrame(block, body), frame.isEnd());
    }

    /** A variable that must be there. */
    public String env(String name) {
        return frame.env(name);
    }

    /** The part of the path behind the context. */
    public String path() {
        return frame.env("PATH_INFO");
    }
}
