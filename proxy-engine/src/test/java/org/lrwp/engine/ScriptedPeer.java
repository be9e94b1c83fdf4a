package org.lrwp.engine;

import org.lrwp.engine.testkit.TestEngine;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** An LRWP 1 peer on a real socket that does what its test says. */
final class ScriptedPeer implements Closeable {
    private static final int PATIENCE_SECONDS = 20;
    private static final Charset OCTETS = StandardCharsets.ISO_8859_1;

    private final Socket socket = new Socket();

    /** Dials in and reads its acknowledgement. */
    ScriptedPeer(InetSocketAddress proxy, String context) throws IOException {
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        socket.setTcpNoDelay(true);
        socket.connect(proxy);
        send(context + "\u00ff\u00ff");
        String reply = read(2);
        if (!reply.equals("OK")) {
            throw new IOException("not let in: " + reply);
        }
    }

    void send(String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(OCTETS));
        socket.getOutputStream().flush();
    }

    String read(int count) throws IOException {
        return new String(socket.getInputStream().readNBytes(count), OCTETS);
    }

    /** Reads one request. */
    String request() throws IOException {
        return part() + "|" + part();
    }

    private String part() throws IOException {
        return read(Integer.parseInt(read(9)));
    }

    void answer(String body) throws IOException {
        send(TestEngine.answer(body));
    }

    /** Whether the proxy has closed the connection. */
    boolean isDropped() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
