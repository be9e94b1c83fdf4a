package org.lrwp.testkit.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One end of a connection of LRWP 3: what a peer and a proxy that a test plays do alike. Not for
 * two threads at once.
 */
public class FrameEnd implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LONGEST = 65_536;

    private final Wire wire;

    /** Speaks frames on a connection, which it closes. */
    protected FrameEnd(Wire wire) {
        this.wire = wire;
    }

    /** The connection itself. */
    public final Wire wire() {
        return wire;
    }

    // ---- Reading.

    /** Reads the next frame. */
    public final Frame frame() throws IOException {
        ByteBuffer head = ByteBuffer.wrap(wire.read(Frame.HEAD));
        int length = head.getInt(0);
        if (length < 0 || length > LONGEST) {
            throw new AssertionError("a frame of " + (length & 0xFFFF_FFFFL) + " bytes");
        }
        return Frame.of(head, wire.read(length));
    }

    /** Reads the next frame, which must be of a type and on a stream. */
    public final Frame expect(int type, int stream) throws IOException {
        Frame frame = frame();
        if (frame.type() != type || frame.stream() != stream) {
            throw new AssertionError(
                    "not " + Frame.name(type) + " on stream " + stream + ": " + frame);
        }
        return frame;
    }

    /** Whether nothing comes for a time. */
    public final boolean isSilent(Duration time) throws IOException {
        return wire.isSilent(time);
    }

    /** Requires an ERROR whose text names something, then the end of the other side's bytes. */
    public final String requireError(String part) throws IOException {
        Frame frame = frame();
        while (frame.type() != Frame.ERROR) {
            frame = frame();
        }
        if (frame.stream() != 0 || !frame.text().contains(part)) {
            throw new AssertionError("not an ERROR with \"" + part + "\": " + frame);
        }
        End end = wire.end(PATIENCE);
        if (end != End.FIN) {
            throw new AssertionError("behind the ERROR comes " + end);
        }
        return frame.text();
    }

    /** Requires that the connection goes on: the next frame is the answer to a PING. */
    public final void requireAlive() throws IOException {
        ping("12345678");
        Frame frame = expect(Frame.PONG, 0);
        if (!frame.text().equals("12345678")) {
            throw new AssertionError("not the answer to the PING: " + frame);
        }
    }

    // ---- Writing.

    /** Sends frames in one write. */
    public final void send(Frame... frames) throws IOException {
        byte[][] bytes = new byte[frames.length][];
        for (int i = 0; i < frames.length; i++) {
            bytes[i] = frames[i].bytes();
        }
        wire.send(Bytes.join(bytes));
    }

    /** Sends more of a body. */
    public final void data(int stream, String bytes) throws IOException {
        send(Frame.of(Frame.DATA, stream, bytes));
    }

    /** Sends the last of a body. */
    public final void lastData(int stream, String bytes) throws IOException {
        send(Frame.of(Frame.DATA, stream, bytes).ending());
    }

    /** Ends a body. */
    public final void endData(int stream) throws IOException {
        lastData(stream, "");
    }

    /** Gives a request up. */
    public final void cancel(int stream, String reason) throws IOException {
        send(Frame.of(Frame.CANCEL, stream, reason));
    }

    /** Grants bytes of a body. */
    public final void window(int stream, long bytes) throws IOException {
        send(Frame.number(Frame.WINDOW, stream, bytes));
    }

    /** Says that it leaves. */
    public final void drain() throws IOException {
        send(Frame.of(Frame.DRAIN, 0));
    }

    /** Asks for a sign of life. */
    public final void ping(String eight) throws IOException {
        send(Frame.of(Frame.PING, 0, eight));
    }

    // ---- The end.

    /** How the other side ends the connection within the time. */
    public final End end(Duration within) throws IOException {
        return wire.end(within);
    }

    /** Closes before its time. */
    public final void hangUp() throws IOException {
        wire.close();
    }

    /** Ends with RST. */
    public final void reset() throws IOException {
        wire.reset();
    }

    @Override
    public final void close() throws IOException {
        wire.close();
    }
}
