package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FrameEnd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** The proxy's end of a connection of LRWP 3. */
final class FrameSide extends FrameEnd {
    static final ProxySettings SETTINGS = new ProxySettings("test", 65_536, 65_536, 0, 1);

    private FrameSide(ProxySide side) {
        super(side.wire());
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

    /** A proxy whose first frame is whatever the test wants. */
    static FrameSide beginning(ProxySide side, Frame first) throws Exception {
        side.send("OK\u00ff");
        FrameSide frames = new FrameSide(side);
        frames.send(first);
        return frames;
    }

    PeerSettings settings() throws Exception {
        return PeerSettings.parse(ByteBuffer.wrap(expect(Frame.SETTINGS, 0).payload()));
    }

    /** Reads the two frames of a request that is answered in one. */
    Frame answer(int stream) throws IOException {
        expect(Frame.STARTED, stream);
        return expect(Frame.RESPONSE, stream);
    }

    void request(int stream, String method, String body) throws IOException {
        send(begun(stream, method, body).ending());
    }

    /** A request whose body goes on. */
    static Frame begun(int stream, String method, String body) {
        return begun(stream, Map.of("REQUEST_METHOD", method), body);
    }

    static Frame begun(int stream, Map<String, String> variables, String body) {
        StringBuilder env = new StringBuilder();
        variables.forEach((name, value) -> env.append(name + "=" + value + "\0"));
        byte[] length = ByteBuffer.allocate(4).putInt(env.length()).array();
        return Frame.of(Frame.REQUEST, stream, Bytes.text(length) + env + body);
    }

    /** Answers REGISTER or UNREGISTER; an empty text says yes. */
    void registered(String application, String text) throws IOException {
        send(Frame.of(Frame.REGISTERED, 0, application + "\u00ff\u00ff" + text + "\u00ff"));
    }

    void expectEnd() throws IOException {
        wire().requireEnd();
    }

    /** The peer has met a frame that cannot be: it says so, ends the connection and reports it. */
    void expectError(RecordedEvents events) throws Exception {
        expect(Frame.ERROR, 0);
        expectEnd();
        close();
        assertInstanceOf(MalformedFrameException.class, events.next(PeerEvent.Lost.class).cause());
    }
}
