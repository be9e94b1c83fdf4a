package org.lrwp.protocol.frame;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads frames, however they are cut: docs/protocol.md section 13.
 *
 * <pre>
 *   HEAD --known type, payload all there--> (a frame, a view of the input) --> HEAD
 *     | \--known type, payload cut--> PAYLOAD --> (a frame, own memory) --> HEAD
 *     |  \--unknown type--> SKIPPED --> HEAD
 *     \--too long--> MalformedFrameException
 * </pre>
 *
 * <p>A frame that lies whole in the input costs no memory, as long as the caller goes on using one
 * buffer: the view of the buffer used last is kept. Not thread-safe, and of no further use once it
 * has thrown.
 */
public final class FrameParser {
    /** Most bytes of own memory that outlive the frame they were needed for. */
    private static final int KEPT = 32_768;

    private static final int FIRST = 1_024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private enum State {
        HEAD,
        PAYLOAD,
        SKIPPED
    }

    private final int maxFrame;
    private final ByteBuffer head = ByteBuffer.allocate(FrameHead.SIZE);
    private State state = State.HEAD;
    private FrameType type = FrameType.SETTINGS;
    private boolean end;
    private int stream;
    private int length;
    private int taken;
    private byte[] own = new byte[0];
    private ByteBuffer payload = NOTHING;
    private @Nullable ByteBuffer source;
    private ByteBuffer view = NOTHING;

    /**
     * Creates a parser.
     *
     * @param maxFrame most bytes of a payload, at least 1
     */
    public FrameParser(int maxFrame) {
        if (maxFrame < 1) {
            throw new IllegalArgumentException("max-frame " + maxFrame + " is below 1");
        }
        this.maxFrame = maxFrame;
    }

    /**
     * Takes bytes up to the end of the next frame of a known type.
     *
     * @param in what has arrived, big-endian; bytes behind the frame stay in it
     * @return true when there is a frame, false when the input is used up before that
     * @throws MalformedFrameException when a frame says that it is longer than allowed
     */
    public boolean next(ByteBuffer in) throws MalformedFrameException {
        payload = NOTHING;
        while (true) {
            switch (state) {
                case HEAD -> {
                    if (!takeHead(in)) {
                        release();
                        return false;
                    }
                    if (state == State.PAYLOAD && takeView(in)) {
                        return true;
                    }
                }
                case PAYLOAD -> {
                    return gather(in);
                }
                case SKIPPED -> {
                    if (!skip(in)) {
                        return false;
                    }
                }
            }
        }
    }

    private boolean takeHead(ByteBuffer in) throws MalformedFrameException {
        if (head.position() == 0 && in.remaining() >= FrameHead.SIZE) {
            readHead(in, in.position());
            in.position(in.position() + FrameHead.SIZE);
            return true;
        }
        while (head.hasRemaining()) {
            if (!in.hasRemaining()) {
                return false;
            }
            head.put(in.get());
        }
        readHead(head, 0);
        head.clear();
        return true;
    }

    private void readHead(ByteBuffer from, int at) throws MalformedFrameException {
        int said = from.getInt(at);
        if (Integer.compareUnsigned(said, maxFrame) > 0) {
            throw new MalformedFrameException(
                    "frame of "
                            + Integer.toUnsignedString(said)
                            + " bytes, max-frame is "
                            + maxFrame);
        }
        length = said;
        taken = 0;
        FrameType known = FrameType.of(from.get(at + FrameHead.TYPE) & 0xFF);
        if (known == null) {
            state = State.SKIPPED;
        } else {
            type = known;
            end = known.mayEnd() && (from.get(at + FrameHead.FLAGS) & FrameHead.END) != 0;
            stream = from.getInt(at + FrameHead.STREAM);
            state = State.PAYLOAD;
        }
    }

    // Two buffers with the same bytes are not the same memory.
    @SuppressWarnings("ReferenceEquality")
    private boolean takeView(ByteBuffer in) {
        if (in.remaining() < length) {
            return false;
        }
        if (source != in) {
            source = in;
            view = in.duplicate();
        }
        int from = in.position();
        in.position(from + length);
        view.limit(from + length).position(from);
        payload = view;
        state = State.HEAD;
        return true;
    }

    private boolean gather(ByteBuffer in) {
        int count = Math.min(in.remaining(), length - taken);
        if (taken + count > own.length) {
            // Grows with what has really arrived, never with what a head promises.
            int wanted = Math.max(taken + count, Math.max(FIRST, own.length * 2));
            own = Arrays.copyOf(own, Math.min(length, wanted));
        }
        in.get(own, taken, count);
        taken += count;
        if (taken < length) {
            return false;
        }
        payload = ByteBuffer.wrap(own, 0, length);
        state = State.HEAD;
        return true;
    }

    private boolean skip(ByteBuffer in) {
        int count = Math.min(in.remaining(), length - taken);
        in.position(in.position() + count);
        taken += count;
        if (taken < length) {
            return false;
        }
        state = State.HEAD;
        return true;
    }

    private void release() {
        if (own.length > KEPT) {
            own = new byte[0];
        }
    }

    /**
     * Returns the type of the frame.
     *
     * @return its type, after {@link #next} has returned true
     */
    public FrameType type() {
        return type;
    }

    /**
     * Says whether the frame is the last of its direction of its stream.
     *
     * @return its END flag; never true on types that cannot end a stream
     */
    public boolean end() {
        return end;
    }

    /**
     * Returns the stream of the frame.
     *
     * @return its number, unsigned; 0 is the connection
     */
    public int stream() {
        return stream;
    }

    /**
     * Returns the payload of the frame.
     *
     * @return a view of the input, or of memory of this parser when the frame was cut; valid until
     *     the next call of {@link #next}, and the caller's to read from
     */
    public ByteBuffer payload() {
        return payload;
    }

    /**
     * Says whether the input ended within a frame: a FIN there is not in order.
     *
     * @return true from the first byte of a head to the last but one of its payload
     */
    public boolean isInsideFrame() {
        return state != State.HEAD || head.position() > 0;
    }
}
