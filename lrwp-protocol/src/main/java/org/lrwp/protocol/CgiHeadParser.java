package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Finds and reads the head of CGI output, however it is cut: docs/protocol.md section 6.
 *
 * <pre>
 *   COLLECTING --blank line--------------------------------> HEAD
 *       \------first byte '&lt;', or output ends without one--> BODY_ONLY
 * </pre>
 *
 * <p>Lines end with LF or CRLF. Output without head is a {@code text/html} body; the bytes that
 * were collected while looking for its head are then handed out by {@link #collected()}. Not
 * thread-safe; {@link #reset()} makes it ready for the next answer. Programs repeat their heads:
 * one with the bytes of the last is the last one again.
 */
public final class CgiHeadParser {
    /** Where the parser stands. */
    public enum State {
        /** No blank line so far. */
        COLLECTING,
        /** {@link #head()} is there; the rest of the buffer is body. */
        HEAD,
        /** There is no head: {@link #collected()} and the rest of the buffer are body. */
        BODY_ONLY
    }

    private static final CgiHead HTML =
            new CgiHead(200, "", List.of(new HeaderField("Content-Type", "text/html")), null);

    /** Bytes of a head that is remembered. */
    private static final int MOST_KEPT = 1024;

    private final int limit;
    private final boolean upgrades;
    private State state = State.COLLECTING;
    private byte[] bytes = new byte[512];
    private int length;
    private int lineStart;
    private @Nullable CgiHead head;
    private ByteBuffer lastBytes = ByteBuffer.allocate(0);
    private @Nullable CgiHead lastHead;

    /**
     * Creates a parser.
     *
     * @param limit most bytes of a head with its blank line
     */
    public CgiHeadParser(int limit) {
        this(limit, false);
    }

    /**
     * Creates a parser.
     *
     * @param limit most bytes of a head with its blank line
     * @param upgrades whether a head may have the status 101
     */
    public CgiHeadParser(int limit, boolean upgrades) {
        this.limit = limit;
        this.upgrades = upgrades;
    }

    /**
     * Returns the limit.
     *
     * @return most bytes of a head with its blank line
     */
    public int limit() {
        return limit;
    }

    /**
     * Takes bytes up to the end of the head.
     *
     * @param in what has arrived; bytes of the body stay in it
     * @return where the parser stands now
     * @throws MalformedFrameException when the head breaks a rule or is above the limit
     */
    public State feed(ByteBuffer in) throws MalformedFrameException {
        if (state == State.COLLECTING && length == 0 && in.hasRemaining()) {
            if (in.get(in.position()) == '<') {
                bodyOnly();
            } else {
                repeat(in);
            }
        }
        while (state == State.COLLECTING && in.hasRemaining()) {
            int end = lineEnd(in);
            collect(in, end);
            if (bytes[length - 1] == '\n') {
                endLine();
            }
        }
        return state;
    }

    private void repeat(ByteBuffer in) {
        int count = lastBytes.remaining();
        if (lastHead == null || in.remaining() < count) {
            return;
        }
        int mismatch = lastBytes.mismatch(in);
        if (mismatch < 0 || mismatch == count) {
            in.position(in.position() + count);
            length = count;
            head = lastHead;
            state = State.HEAD;
        }
    }

    /**
     * Says that the output is whole.
     *
     * @return {@link State#BODY_ONLY} when no head was found, else what it was
     */
    public State endOfOutput() {
        if (state == State.COLLECTING) {
            bodyOnly();
        }
        return state;
    }

    private void bodyOnly() {
        state = State.BODY_ONLY;
        head = HTML;
    }

    private static int lineEnd(ByteBuffer in) {
        for (int i = in.position(); i < in.limit(); i++) {
            if (in.get(i) == '\n') {
                return i + 1;
            }
        }
        return in.limit();
    }

    private void collect(ByteBuffer in, int end) throws MalformedFrameException {
        int count = end - in.position();
        if (count > limit - length) {
            throw new MalformedFrameException(
                    "no blank line in the first " + limit + " bytes of the answer");
        }
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, bytes.length * 2));
        }
        in.get(bytes, length, count);
        length += count;
    }

    private void endLine() throws MalformedFrameException {
        int lineLength = length - lineStart;
        boolean blank = lineLength == 1 || (lineLength == 2 && bytes[lineStart] == '\r');
        lineStart = length;
        if (blank) {
            CgiHead read = CgiHeadReader.read(bytes, length, upgrades);
            head = read;
            state = State.HEAD;
            if (length <= MOST_KEPT) {
                lastBytes = ByteBuffer.wrap(Arrays.copyOf(bytes, length));
                lastHead = read;
            }
        }
    }

    /**
     * Returns the head.
     *
     * @return the head read, or that of a {@code text/html} body when there was none
     * @throws IllegalStateException while collecting
     */
    public CgiHead head() {
        if (head == null) {
            throw new IllegalStateException("no head yet");
        }
        return head;
    }

    /**
     * Returns how many bytes the head took.
     *
     * @return bytes with the blank line; 0 when there is no head
     */
    public int headLength() {
        return state == State.HEAD ? length : 0;
    }

    /**
     * Returns the bytes of the body that were collected in search of a head.
     *
     * @return a view, empty unless {@link State#BODY_ONLY}; valid until {@link #reset()}
     */
    public ByteBuffer collected() {
        return ByteBuffer.wrap(bytes, 0, state == State.BODY_ONLY ? length : 0);
    }

    /** Makes the parser ready for the next answer. */
    public void reset() {
        state = State.COLLECTING;
        length = 0;
        lineStart = 0;
        head = null;
    }
}
