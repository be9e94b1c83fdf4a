package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A client of HTTP/2 without TLS that sends single frames (RFC 9113), and heads without compression
 * (RFC 7541). Not for two threads at once, but that one may send while another reads.
 */
public final class Http2Client implements AutoCloseable {
    /** Frame type of a part of an answer's body. */
    public static final int DATA = 0;

    /** Frame type of a head. */
    public static final int HEADERS = 1;

    /** Frame type of the end of a stream that is not whole. */
    public static final int RST_STREAM = 3;

    /** Frame type of a question whether somebody is there. */
    public static final int PING = 6;

    /** Frame type of the end of a connection. */
    public static final int GOAWAY = 7;

    /** Frame type of a further part of a head. */
    public static final int CONTINUATION = 9;

    /** Bytes of what a client says first. */
    public static final int PREFACE_BYTES = 24;

    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final short INITIAL_WINDOW_SIZE = 4;
    private static final int END_OF_HEAD_AND_STREAM = 5;
    private static final int CANCEL = 8;
    private static final int FRAME_HEAD = 9;
    private static final int FIRST_WINDOW = 65_535;
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final Wire wire;

    private Http2Client(Wire wire) {
        this.wire = wire;
    }

    /**
     * A frame that has come.
     *
     * @param type its type
     * @param stream its stream
     * @param payload all behind its head
     */
    @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
    public record Received(int type, int stream, byte[] payload) {
        /** The reason of a GOAWAY. */
        public int errorCode() {
            return ByteBuffer.wrap(payload).getInt(Integer.BYTES);
        }
    }

    /** Connects to a loopback port and says what it speaks. */
    public static Http2Client to(int port) throws IOException {
        return to(port, new byte[0]);
    }

    /** The same, and says that it takes nothing of any body before {@link #window}. */
    public static Http2Client withoutWindow(int port) throws IOException {
        return to(port, streamWindow(0));
    }

    /** The same, and takes all of every body without being asked again. */
    public static Http2Client withOpenWindows(int port) throws IOException {
        Http2Client client = withOpenStreams(port);
        client.send(window(0, Integer.MAX_VALUE - FIRST_WINDOW));
        return client;
    }

    /** The same, but of all bodies together only what it has to take at first. */
    public static Http2Client withOpenStreams(int port) throws IOException {
        return to(port, streamWindow(Integer.MAX_VALUE));
    }

    private static byte[] streamWindow(int bytes) {
        ByteBuffer setting = ByteBuffer.allocate(Short.BYTES + Integer.BYTES);
        return setting.putShort(INITIAL_WINDOW_SIZE).putInt(bytes).array();
    }

    private static Http2Client to(int port, byte[] settings) throws IOException {
        Http2Client client = silent(port);
        client.send(Bytes.of(PREFACE), frame(SETTINGS, 0, 0, settings));
        return client;
    }

    /** Connects to a loopback port, and says nothing. */
    public static Http2Client silent(int port) throws IOException {
        return new Http2Client(Wire.to(port));
    }

    /** Sends so much of what a client of HTTP/2 says first. */
    public void begin(int bytes) throws IOException {
        wire.send(Arrays.copyOf(Bytes.of(PREFACE), bytes));
    }

    /** Requires that the connection ends now. */
    public void requireEnd() throws IOException {
        wire.requireEnd();
    }

    /** A frame of any kind. */
    public static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(FRAME_HEAD + payload.length)
                .putInt(payload.length << Byte.SIZE | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** The frame of a GET. */
    public static byte[] get(int stream, String path) {
        return get(stream, "http", path);
    }

    /** The frame of a GET whose client says that it speaks so. */
    public static byte[] get(int stream, String scheme, String path) {
        var head = new ByteArrayOutputStream();
        // Of the static table: GET, http or https; then the path and the authority as they are.
        head.write(0x82);
        head.write(scheme.equals("https") ? 0x87 : 0x86);
        literal(head, 0x04, path);
        literal(head, 0x01, "127.0.0.1");
        return frame(HEADERS, END_OF_HEAD_AND_STREAM, stream, head.toByteArray());
    }

    private static void literal(ByteArrayOutputStream head, int name, String value) {
        byte[] bytes = Bytes.of(value);
        if (bytes.length > 126) {
            throw new IllegalArgumentException("too long for this client: " + value);
        }
        head.write(name);
        head.write(bytes.length);
        head.writeBytes(bytes);
    }

    /** The frame that takes a request back. */
    public static byte[] reset(int stream) {
        byte[] reason = ByteBuffer.allocate(Integer.BYTES).putInt(CANCEL).array();
        return frame(RST_STREAM, 0, stream, reason);
    }

    /** The frame that says how much more of an answer's body is taken. */
    public static byte[] window(int stream, int bytes) {
        byte[] more = ByteBuffer.allocate(Integer.BYTES).putInt(bytes).array();
        return frame(WINDOW_UPDATE, 0, stream, more);
    }

    /** Sends frames. */
    public void send(byte[]... frames) throws IOException {
        wire.send(Bytes.join(frames));
    }

    /** Reads frames up to one of a type. */
    public Received await(int type) throws IOException {
        while (true) {
            ByteBuffer head = ByteBuffer.wrap(wire.read(FRAME_HEAD));
            int first = head.getInt();
            head.get();
            int stream = head.getInt();
            byte[] payload = wire.read(first >>> Byte.SIZE);
            if ((first & 0xFF) == type) {
                return new Received(type, stream, payload);
            }
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
