package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;

/**
 * The client's end of a WebSocket connection (RFC 6455) that sends frames as told, right or wrong,
 * and reads them strictly.
 */
public final class WebSocket implements AutoCloseable {
    /** Opcode of a frame that goes on with a message. */
    public static final int CONTINUATION = 0;

    /** Opcode of text. */
    public static final int TEXT = 1;

    /** Opcode of bytes. */
    public static final int BINARY = 2;

    /** Opcode of the last frame. */
    public static final int CLOSE = 8;

    /** Opcode of a question. */
    public static final int PING = 9;

    /** Opcode of its answer. */
    public static final int PONG = 10;

    /** The first byte's bit of a frame that ends a message. */
    public static final int FIN = 0x80;

    private static final int MASKED = 0x80;
    private static final byte[] MASK = {0x37, (byte) 0xfa, 0x21, 0x3d};
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final RawHttp client;

    private WebSocket(RawHttp client) {
        this.client = client;
    }

    /** Goes over to WebSocket on a client's connection, as section 4.1 asks for. */
    public static WebSocket open(RawHttp client, String path) throws Exception {
        client.send(request(client, path));
        String line = client.line();
        if (!line.startsWith("HTTP/1.1 101 ")) {
            throw new AssertionError("not 101: " + line);
        }
        boolean upgrade = false;
        boolean connection = false;
        boolean accepted = false;
        for (String field = client.line(); !field.isEmpty(); field = client.line()) {
            upgrade |= field.equalsIgnoreCase("Upgrade: websocket");
            connection |= field.equalsIgnoreCase("Connection: Upgrade");
            accepted |= field.equalsIgnoreCase("Sec-WebSocket-Accept: " + accept());
        }
        if (!upgrade || !connection || !accepted) {
            throw new AssertionError("a 101 without its fields");
        }
        return new WebSocket(client);
    }

    /** The head that asks for it. */
    public static String request(RawHttp client, String path) {
        return client.head(
                "GET",
                path,
                "Connection: keep-alive, Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: " + KEY);
    }

    private static String accept() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(Bytes.of(KEY + GUID));
        return Base64.getEncoder().encodeToString(digest);
    }

    // ---- Sending.

    /** A frame, masked as a client must. */
    public static byte[] masked(int first, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
        putHead(frame, first, MASKED, payload.length);
        frame.put(MASK);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ MASK[i % MASK.length]));
        }
        byte[] whole = new byte[frame.position()];
        frame.flip().get(whole);
        return whole;
    }

    /** A frame as only servers may send it. */
    public static byte[] unmasked(int first, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(10 + payload.length);
        putHead(frame, first, 0, payload.length);
        frame.put(payload);
        byte[] whole = new byte[frame.position()];
        frame.flip().get(whole);
        return whole;
    }

    private static void putHead(ByteBuffer frame, int first, int mask, int length) {
        frame.put((byte) first);
        if (length <= 125) {
            frame.put((byte) (mask | length));
        } else if (length <= 0xFFFF) {
            frame.put((byte) (mask | 126)).putShort((short) length);
        } else {
            frame.put((byte) (mask | 127)).putLong(length);
        }
    }

    /** Sends frames, or parts of them, in one write. */
    public void send(byte[]... frames) throws IOException {
        client.wire().send(Bytes.join(frames));
    }

    /** Sends text in one frame. */
    public void text(String text) throws IOException {
        send(masked(FIN | TEXT, text.getBytes(StandardCharsets.UTF_8)));
    }

    // ---- Reading.

    /**
     * Reads the next frame, which must be whole and of a kind.
     *
     * @return its payload
     */
    public byte[] expect(int opcode) throws IOException {
        int first = client.wire().read();
        if (first != (FIN | opcode)) {
            throw new AssertionError("not a whole frame " + opcode + " but " + first);
        }
        int length = client.wire().read();
        if (length == 126) {
            length = ByteBuffer.wrap(client.wire().read(2)).getShort() & 0xFFFF;
        } else if (length == 127) {
            length = Math.toIntExact(ByteBuffer.wrap(client.wire().read(8)).getLong());
        } else if (length > 127) {
            throw new AssertionError("a server's frame with a mask");
        }
        return client.wire().read(length);
    }

    /** Reads a message of text. */
    public String text() throws IOException {
        return new String(expect(TEXT), StandardCharsets.UTF_8);
    }

    /**
     * Reads the frame that closes.
     *
     * @return its code; 1005, which is never sent, when it has none
     */
    public int closeCode() throws IOException {
        byte[] payload = expect(CLOSE);
        return payload.length == 0 ? 1005 : ByteBuffer.wrap(payload).getShort() & 0xFFFF;
    }

    /** The connection itself. */
    public Wire wire() {
        return client.wire();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
