package org.lrwp.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A proxy for one connection at a time, played by the test. */
final class OneProxy implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final ServerSocket listener;

    OneProxy() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(PATIENCE_MILLIS);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** Accepts a connection, reads its startup string and says something. */
    Socket accept(String startup, String reply) throws IOException {
        Socket socket = listener.accept();
        socket.setSoTimeout(PATIENCE_MILLIS);
        assertEquals(startup, read(socket, startup.length()));
        write(socket, reply);
        return socket;
    }

    /** The same as a proxy that speaks LRWP 1 only: what is newer is not understood. */
    Socket acceptOld(String name, String reply) throws IOException {
        for (String version : new String[] {"3.0", "2.0"}) {
            String startup = "\u00ff" + version + "\u00ff" + name + "\u00ff\u00ff";
            accept(startup, "ERROR: Unknown LRWP version").close();
        }
        return accept(name + "\u00ff\u00ff", reply);
    }

    static String read(Socket socket, int count) throws IOException {
        return new String(socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
    }

    static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
