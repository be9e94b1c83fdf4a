package org.lrwp.jetty;

import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FrameEnd;
import org.lrwp.testkit.wire.Wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** A proxy that has accepted one connection of a peer, and its settings. */
final class PlayedProxy extends FrameEnd {
    private static final ProxySettings SETTINGS = new ProxySettings("test", 65_536, 65_536, 0, 1);

    private PlayedProxy(Wire wire) {
        super(wire);
    }

    /** A port where a peer can dial in. */
    static ServerSocket listen() throws IOException {
        ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(10_000);
        return listener;
    }

    /** Accepts the peer of one context. */
    static PlayedProxy accept(ServerSocket listener, String context) throws IOException {
        Wire wire = Wire.over(listener.accept());
        String startup = "\u00ff3.0\u00ff" + context + "\u00ff\u00ff";
        String said = Bytes.text(wire.read(startup.length()));
        if (!said.equals(startup)) {
            throw new AssertionError("not the startup string: " + said);
        }
        wire.send(Bytes.join(Bytes.of("OK\u00ff"), SETTINGS.encode()));
        PlayedProxy proxy = new PlayedProxy(wire);
        proxy.expect(Frame.SETTINGS, 0);
        return proxy;
    }

    /** What each request of a client brings, for the context {@code /app}; others may be added. */
    static Map<String, String> variables(String method, String target) {
        Map<String, String> variables = new HashMap<>();
        variables.put("REQUEST_METHOD", method);
        variables.put("REQUEST_URI", target);
        variables.put("SCRIPT_NAME", "/app");
        variables.put("SERVER_PROTOCOL", "HTTP/1.1");
        variables.put("SERVER_NAME", "example.com");
        variables.put("SERVER_PORT", "80");
        variables.put("REMOTE_ADDR", "192.0.2.7");
        variables.put("REMOTE_PORT", "4711");
        return variables;
    }

    /** A request whose body goes on. */
    static Frame request(int stream, Map<String, String> variables, String body) {
        StringBuilder env = new StringBuilder();
        variables.forEach((name, value) -> env.append(name + "=" + value + "\0"));
        byte[] length = ByteBuffer.allocate(4).putInt(env.length()).array();
        return Frame.of(Frame.REQUEST, stream, Bytes.text(length) + env + body);
    }

    /** Reads an answer to its end, and grants what has been read. */
    String answer(int stream) throws IOException {
        Frame frame = expect(Frame.STARTED, stream);
        StringBuilder text = new StringBuilder();
        while (!frame.isEnd()) {
            frame = frame();
            if (frame.type() == Frame.RESPONSE || frame.type() == Frame.DATA) {
                text.append(frame.text());
                if (!frame.isEnd()) {
                    window(stream, frame.payload().length);
                }
            } else if (frame.type() != Frame.WINDOW) {
                throw new AssertionError("not an answer: " + frame);
            }
        }
        return text.toString();
    }
}
