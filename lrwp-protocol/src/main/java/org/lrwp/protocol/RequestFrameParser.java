package org.lrwp.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads, for a peer, the head of a request frame: env block and length of the body:
 * docs/protocol.md section 4. The body that follows is the caller's to read.
 *
 * <pre>
 *   BLOCK_LENGTH --> BLOCK --> BODY_LENGTH --> COMPLETE
 * </pre>
 *
 * <p>Not thread-safe; {@link #reset()} makes it ready for the next frame.
 */
public final class RequestFrameParser {
    private enum State {
        BLOCK_LENGTH,
        BLOCK,
        BODY_LENGTH,
        COMPLETE
    }

    private final int limit;
    private final LengthField length = new LengthField();
    private State state = State.BLOCK_LENGTH;
    private byte[] block = new byte[1024];
    private int blockLength;
    private int taken;

    /**
     * Creates a parser.
     *
     * @param limit most bytes of an env block
     */
    public RequestFrameParser(int limit) {
        this.limit = limit;
    }

    /**
     * Takes bytes of the frame's head.
     *
     * @param in what has arrived; bytes of the body stay in it
     * @return whether the head is whole
     * @throws MalformedFrameException when a length is not nine digits or above the limit, or the
     *     block does not end with a NUL
     */
    public boolean feed(ByteBuffer in) throws MalformedFrameException {
        if (state == State.BLOCK_LENGTH && length.feed(in)) {
            blockLength = length.value();
            if (blockLength > limit) {
                throw new MalformedFrameException(
                        "env block of " + blockLength + " bytes, limit " + limit);
            }
            length.reset();
            state = State.BLOCK;
        }
        if (state == State.BLOCK && takeBlock(in)) {
            state = State.BODY_LENGTH;
        }
        if (state == State.BODY_LENGTH && length.feed(in)) {
            state = State.COMPLETE;
        }
        return state == State.COMPLETE;
    }

    private boolean takeBlock(ByteBuffer in) throws MalformedFrameException {
        int count = Math.min(in.remaining(), blockLength - taken);
        if (taken + count > block.length) {
            // Grows with what has really arrived, never with what a length field promises.
            block = Arrays.copyOf(block, Math.max(taken + count, block.length * 2));
        }
        in.get(block, taken, count);
        taken += count;
        if (taken < blockLength) {
            return false;
        }
        if (blockLength > 0 && block[blockLength - 1] != 0) {
            throw new MalformedFrameException("env block does not end with NUL");
        }
        return true;
    }

    /**
     * Returns the variables of the env block.
     *
     * @return name to value in the order sent; the last of equal names counts, entries without
     *     {@code =} are left out; unmodifiable
     * @throws IllegalStateException before the head is whole
     */
    public Map<String, String> environment() {
        checkComplete();
        Map<String, String> variables = new LinkedHashMap<>();
        int start = 0;
        for (int i = 0; i < blockLength; i++) {
            if (block[i] == 0) {
                addVariable(variables, start, i);
                start = i + 1;
            }
        }
        return Collections.unmodifiableMap(variables);
    }

    private void addVariable(Map<String, String> variables, int from, int to) {
        for (int i = from; i < to; i++) {
            if (block[i] == '=') {
                variables.put(text(from, i), text(i + 1, to));
                return;
            }
        }
    }

    private String text(int from, int to) {
        return new String(block, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns the length of the body that follows.
     *
     * @return bytes, 0 for none
     * @throws IllegalStateException before the head is whole
     */
    public int bodyLength() {
        checkComplete();
        return length.value();
    }

    /**
     * Says whether a frame has begun but its head is not whole.
     *
     * @return true from the first byte on, false once whole
     */
    public boolean isPartial() {
        return state == State.BLOCK_LENGTH ? length.isPartial() : state != State.COMPLETE;
    }

    private void checkComplete() {
        if (state != State.COMPLETE) {
            throw new IllegalStateException("the head is not whole: " + state);
        }
    }

    /** Makes the parser ready for the next frame. */
    public void reset() {
        state = State.BLOCK_LENGTH;
        length.reset();
        blockLength = 0;
        taken = 0;
    }
}
