package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.ContextName;
import org.lrwp.protocol.frame.FrameHead;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.ProxySettings;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The proxy's end of a connection of LRWP 3. */
final class FrameSide implements AutoCloseable {
    static final ProxySettings SETTINGS = new ProxySettings("test", 65_536, 65_536, 0, 1);

    /** One frame of the peer. */
    record Frame(FrameType type, boolean end, int stream, String text) {
        /** Returns what follows the CGI head. */
        String body() {
            return text.substring(text.indexOf("\r\n\r\n") + 4);
        }

        ByteBuffer payload() {
            return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private final ProxySide side;

    private FrameSide(ProxySide side) {
        this.side = side;
    }

    static FrameSide accept(ScriptedProxy proxy) throws Exception {
        return accept(proxy, SETTINGS);
    }

    /** Accepts a peer of the context /osp and reads its settings. */
    static FrameSide accept(ScriptedProxy proxy, ProxySettings settings) throws Exception {
        FrameSide frames = greet(proxy.accept(), settings);
        frames.settings();
        return frames;
    }

    static FrameSide greet(ProxySide side, ProxySettings settings) throws Exception {
        side.expect("\u00ff3.0\u00ffosp\u00ff\u00ff");
        return accepted(side, settings);
    }

    static FrameSide accepted(ProxySide side, ProxySettings settings) throws Exception {
        side.send("OK\u00ff");
        side.send(settings.encode());
        return new FrameSide(side);
    }

    PeerSettings settings() throws Exception {
        return PeerSettings.parse(next(FrameType.SETTINGS, 0).payload());
    }

    ProxySide octets() {
        return side;
    }

    Frame next() throws IOException {
        ByteBuffer head = ByteBuffer.wrap(side.read(FrameHead.SIZE));
        int length = head.getInt();
        FrameType type = FrameType.of(head.get());
        boolean end = head.get() == 1;
        head.getShort();
        int stream = head.getInt();
        String text = new String(side.read(length), StandardCharsets.ISO_8859_1);
        return new Frame(type == null ? FrameType.ERROR : type, end, stream, text);
    }

    Frame next(FrameType type, int stream) throws IOException {
        Frame frame = next();
        assertEquals(type + " " + stream, frame.type() + " " + frame.stream(), frame::toString);
        return frame;
    }

    /** Reads the two frames of a request that is answered in one. */
    Frame answer(int stream) throws IOException {
        next(FrameType.STARTED, stream);
        return next(FrameType.RESPONSE, stream);
    }

    void send(byte[] frame) throws IOException {
        side.send(frame);
    }

    void send(FrameType type, boolean end, int stream, byte[] payload) throws IOException {
        side.send(frame(type, end, stream, payload));
    }

    void data(int stream, String octets, boolean end) throws IOException {
        send(FrameType.DATA, end, stream, octets.getBytes(StandardCharsets.ISO_8859_1));
    }

    void window(int stream, long credit) throws IOException {
        send(Frames.window(stream, credit));
    }

    void cancel(int stream) throws IOException {
        send(Frames.text(FrameType.CANCEL, stream, "gone"));
    }

    /** Sends PING and reads its answer: all frames before it were handled then. */
    void settle() throws IOException {
        send(Frames.ping(7));
        next(FrameType.PONG, 0);
    }

    void request(int stream, String method, String body) throws IOException {
        send(request(stream, method, body, true));
    }

    static byte[] request(int stream, String method, String body, boolean end) {
        return request(stream, Map.of("REQUEST_METHOD", method), body, end);
    }

    static byte[] request(int stream, Map<String, String> variables, String body, boolean end) {
        StringBuilder env = new StringBuilder();
        variables.forEach((name, value) -> env.append(name + "=" + value + "\0"));
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(ByteBuffer.allocate(4).putInt(env.length()).array());
        payload.writeBytes(env.toString().getBytes(StandardCharsets.ISO_8859_1));
        payload.writeBytes(body.getBytes(StandardCharsets.ISO_8859_1));
        return frame(FrameType.REQUEST, end, stream, payload.toByteArray());
    }

    static byte[] frame(FrameType type, boolean end, int stream, byte[] payload) {
        return ByteBuffer.allocate(FrameHead.SIZE + payload.length)
                .put(FrameHead.of(type, end, stream, payload.length))
                .put(payload)
                .array();
    }

    static byte[] registered(String application, String text) {
        return Frames.registered(new ContextName(application, ""), text);
    }

    void expectEnd() throws IOException {
        side.expectEnd();
    }

    /** The peer has met a frame that cannot be: it says so, ends the connection and reports it. */
    void expectError(RecordedEvents events) throws Exception {
        next(FrameType.ERROR, 0);
        expectEnd();
        side.hangUp();
        assertInstanceOf(MalformedFrameException.class, events.next(PeerEvent.Lost.class).cause());
    }

    @Override
    public void close() throws IOException {
        side.close();
    }
}
