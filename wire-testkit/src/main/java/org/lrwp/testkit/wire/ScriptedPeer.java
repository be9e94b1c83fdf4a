package org.lrwp.testkit.wire;

import java.io.IOException;
import java.time.Duration;

/** A peer that does on its connection what the test says. */
public final class ScriptedPeer implements AutoCloseable {
    /** The byte that ends the parts of a hello. */
    public static final String FF = "\u00ff";

    private final Wire wire;

    private ScriptedPeer(Wire wire) {
        this.wire = wire;
    }

    /** Dials in and says nothing yet. */
    public static ScriptedPeer dial(int port) throws IOException {
        return new ScriptedPeer(Wire.to(port));
    }

    /** Speaks on a connection that has been made in another way, such as inside TLS. */
    public static ScriptedPeer over(Wire wire) {
        return new ScriptedPeer(wire);
    }

    /** Dials in from a local address and says nothing yet. */
    public static ScriptedPeer dialFrom(String address, int port) throws IOException {
        return new ScriptedPeer(Wire.to(port, address, 0));
    }

    /** Dials in with a small receive buffer, so that not reading is felt soon. */
    public static ScriptedPeer dialSmall(int port) throws IOException {
        return new ScriptedPeer(Wire.to(port, "127.0.0.1", 4096));
    }

    /** Registers by LRWP 1.0 for every host. */
    public ScriptedPeer register(String app) throws IOException {
        return register(app, "");
    }

    /** Registers by LRWP 1.0 for one virtual host. */
    public ScriptedPeer register(String app, String host) throws IOException {
        wire.send(app + FF + host + FF);
        String answer = Bytes.text(wire.read(2));
        if (!answer.equals("OK")) {
            throw new AssertionError("not registered: " + answer + Bytes.text(wire.readAll()));
        }
        return this;
    }

    /** The connection itself. */
    public Wire wire() {
        return wire;
    }

    /** Reads a whole request. */
    public RequestFrame request() throws IOException {
        byte[] block = wire.read(length());
        return new RequestFrame(block, wire.read(length()));
    }

    private int length() throws IOException {
        String digits = Bytes.text(wire.read(9));
        if (!digits.matches("[0-9]{9}")) {
            throw new AssertionError("not a length: " + digits);
        }
        return Integer.parseInt(digits);
    }

    /** Sends an answer: its length and its bytes, in one write. */
    public void answer(byte[] output) throws IOException {
        wire.send(frame(output));
    }

    /** Sends an answer in ISO 8859-1. */
    public void answer(String output) throws IOException {
        answer(Bytes.of(output));
    }

    /** Sends a plain text answer. */
    public void text(String body) throws IOException {
        answer(plain(body));
    }

    /** An answer with its length before it. */
    public static byte[] frame(byte[] output) {
        return Bytes.join(Bytes.of("%09d".formatted(output.length)), output);
    }

    /** The bytes of a plain text answer. */
    public static byte[] plain(String body) {
        return Bytes.of("Content-Type: text/plain\r\n\r\n" + body);
    }

    /** How the proxy ends the connection within the time. */
    public End end(Duration within) throws IOException {
        return wire.end(within);
    }

    /** Ends with RST. */
    public void reset() throws IOException {
        wire.reset();
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
