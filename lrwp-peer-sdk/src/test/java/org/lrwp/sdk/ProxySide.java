package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The proxy's end of one connection. */
final class ProxySide implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;

    ProxySide(Socket socket, int patienceMillis) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(patienceMillis);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    void expect(String octets) throws IOException {
        assertEquals(octets, latin(in.readNBytes(octets.length())));
    }

    byte[] read(int count) throws IOException {
        byte[] octets = new byte[count];
        in.readFully(octets);
        return octets;
    }

    void send(String octets) throws IOException {
        send(octets.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] octets) throws IOException {
        socket.getOutputStream().write(octets);
    }

    void sendSingly(byte[] octets) throws IOException {
        for (byte octet : octets) {
            send(new byte[] {octet});
        }
    }

    static byte[] frame(String method, String body) {
        return frame(method, body.getBytes(StandardCharsets.ISO_8859_1));
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
            ByteArrayOutputStream octets = new ByteArrayOutputStream();
            byte[] start = new byte[head.remaining()];
            head.get(start);
            octets.writeBytes(start);
            octets.writeBytes(body);
            return octets.toByteArray();
        } catch (MalformedFrameException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads one whole answer. */
    String answer() throws IOException {
        byte[] digits = new byte[9];
        in.readFully(digits);
        byte[] octets = new byte[Integer.parseInt(latin(digits))];
        in.readFully(octets);
        return latin(octets);
    }

    /** Reads one whole answer and returns what follows its head. */
    String answerBody() throws IOException {
        String answer = answer();
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    /** Waits for the peer to end the connection. */
    void expectEnd() throws IOException {
        int next;
        try {
            next = in.read();
        } catch (SocketException e) {
            next = -1;
        }
        assertEquals(-1, next);
    }

    void hangUp() throws IOException {
        socket.close();
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static String latin(byte[] octets) {
        return new String(octets, StandardCharsets.ISO_8859_1);
    }
}
