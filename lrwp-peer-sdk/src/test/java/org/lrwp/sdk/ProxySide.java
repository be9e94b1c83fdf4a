package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Wire;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The proxy's end of one connection. */
final class ProxySide implements AutoCloseable {
    private final Wire wire;

    ProxySide(Socket socket) throws IOException {
        wire = Wire.over(socket);
    }

    Wire wire() {
        return wire;
    }

    void expect(String bytes) throws IOException {
        assertEquals(bytes, Bytes.text(wire.read(bytes.length())));
    }

    byte[] read(int count) throws IOException {
        return wire.read(count);
    }

    void send(String bytes) throws IOException {
        wire.send(bytes);
    }

    void send(byte[] bytes) throws IOException {
        wire.send(bytes);
    }

    static byte[] frame(String method, String body) {
        return frame(method, Bytes.of(body));
    }

    static byte[] frame(String method, byte[] body) {
        try {
            EnvBlockWriter env = new EnvBlockWriter();
            env.begin(10_000);
            env.add("REQUEST_METHOD", method);
            env.add("PATH_INFO", "/sub");
            env.add("QUERY_STRING", "a=1");
            env.add("CONTENT_TYPE", "text/x");
            env.add("HTTP_X_ONE", "1");
            ByteBuffer head = env.finish(body.length);
            byte[] start = new byte[head.remaining()];
            head.get(start);
            return Bytes.join(start, body);
        } catch (MalformedFrameException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads one whole answer. */
    String answer() throws IOException {
        return Bytes.text(wire.read(Integer.parseInt(Bytes.text(wire.read(9)))));
    }

    /** Reads one whole answer and returns what follows its head. */
    String answerBody() throws IOException {
        String answer = answer();
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** Waits for the peer to end the connection. */
    void expectEnd() throws IOException {
        wire.requireEnd();
    }

    void hangUp() throws IOException {
        wire.close();
    }

    void reset() throws IOException {
        wire.reset();
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
