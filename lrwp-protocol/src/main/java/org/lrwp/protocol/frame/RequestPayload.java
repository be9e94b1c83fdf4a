package org.lrwp.protocol.frame;

import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a REQUEST frame carries, for a peer: docs/protocol.md section 13.
 *
 * <pre>
 *  0              4                 4 + n
 *  | n (u32)      | env block       | first bytes of the body |
 * </pre>
 */
public final class RequestPayload {
    private static final int LENGTH = Integer.BYTES;

    private final Map<String, String> environment;
    private final ByteBuffer body;

    private RequestPayload(Map<String, String> environment, ByteBuffer body) {
        this.environment = environment;
        this.body = body;
    }

    /**
     * Reads the payload of a REQUEST frame.
     *
     * @param payload the payload; used up
     * @param envLimit most bytes of an env block
     * @return what it holds
     * @throws MalformedFrameException when the env block is longer than the limit or the payload,
     *     or does not end with NUL
     */
    public static RequestPayload parse(ByteBuffer payload, int envLimit)
            throws MalformedFrameException {
        if (payload.remaining() < LENGTH) {
            throw new MalformedFrameException("REQUEST without the length of its env block");
        }
        int length = payload.getInt();
        int most = Math.min(envLimit, payload.remaining());
        if (Integer.compareUnsigned(length, most) > 0) {
            throw new MalformedFrameException(
                    "env block of "
                            + Integer.toUnsignedString(length)
                            + " bytes, limit "
                            + envLimit
                            + ", in a REQUEST with "
                            + payload.remaining()
                            + " more");
        }
        byte[] block = new byte[length];
        payload.get(block);
        if (length > 0 && block[length - 1] != 0) {
            throw new MalformedFrameException("env block does not end with NUL");
        }
        ByteBuffer body = payload.slice();
        payload.position(payload.limit());
        return new RequestPayload(variables(block), body);
    }

    /**
     * Reads an env block that is at hand without a frame.
     *
     * @param block entries {@code name=value}, each with a NUL behind it; used up
     * @return name to value in the order written, unmodifiable
     */
    public static Map<String, String> environment(ByteBuffer block) {
        byte[] bytes = new byte[block.remaining()];
        block.get(bytes);
        return variables(bytes);
    }

    private static Map<String, String> variables(byte[] block) {
        return new EnvironmentBlock(new String(block, StandardCharsets.ISO_8859_1));
    }

    /**
     * Returns the variables of the env block.
     *
     * @return name to value in the order sent; the last of equal names counts, entries without
     *     {@code =} are left out; unmodifiable
     */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Returns the bytes of the body that came with the request.
     *
     * @return a view of the payload, valid as long as that is
     */
    public ByteBuffer body() {
        return body;
    }
}
