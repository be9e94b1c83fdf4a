package org.lrwp.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads a peer's answer to the challenge, however it is cut: docs/protocol.md section 3 and
 * docs/protocol.md section 12.
 *
 * <p>An answer of another length than {@link Challenge#SIZE} is read to its end, so that the
 * refusal reaches the peer, but never kept beyond what a right answer needs. Not thread-safe.
 */
public final class ChallengeAnswerParser {
    private final LengthField length = new LengthField();
    private final byte[] answer = new byte[Challenge.SIZE + 1];
    private int taken;

    /** Creates a parser for one answer. */
    public ChallengeAnswerParser() {}

    /**
     * Takes bytes of the answer.
     *
     * @param in what has arrived; bytes behind the answer stay in it
     * @return whether the answer is whole
     * @throws MalformedFrameException when the length is not nine digits, or above {@link
     *     HelloParser#MAX_LENGTH}
     */
    public boolean feed(ByteBuffer in) throws MalformedFrameException {
        if (!length.feed(in)) {
            return false;
        }
        int expected = length.value();
        if (expected > HelloParser.MAX_LENGTH) {
            throw new MalformedFrameException(
                    "challenge answer of " + expected + " bytes, limit " + HelloParser.MAX_LENGTH);
        }
        while (taken < expected && in.hasRemaining()) {
            answer[Math.min(taken, Challenge.SIZE)] = in.get();
            taken++;
        }
        return taken == expected;
    }

    /**
     * Returns the answer.
     *
     * @return the bytes, at most one more than {@link Challenge#SIZE}
     */
    public byte[] answer() {
        return Arrays.copyOf(answer, Math.min(taken, answer.length));
    }
}
