package org.lrwp.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A web server that a test plays, on a free port of the loopback address: each of its answers has a
 * head and a part of the body, and then nothing. It sees when the client gives one up.
 */
public final class HalfAnswer implements AutoCloseable {
    private static final byte[] BEGINNING =
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbeginning"
                    .getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final Semaphore givenUp = new Semaphore(0);

    private HalfAnswer(ServerSocket server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @return the server
     */
    public static HalfAnswer start() {
        try {
            var started = new HalfAnswer(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().start(started::accept);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                clients.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client) {
            // The request, of which one byte is enough to answer.
            if (client.getInputStream().read() >= 0) {
                client.getOutputStream().write(BEGINNING);
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException e) {
            // A client may also reset the connection.
        }
        givenUp.release();
    }

    /**
     * Returns the address of something on this server.
     *
     * @param path begins with {@code /}
     * @return its URL
     */
    public URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
    }

    /**
     * Waits until a client has given up one more connection.
     *
     * @return whether it has, within 20 seconds
     * @throws InterruptedException when the thread is interrupted
     */
    public boolean awaitGivenUp() throws InterruptedException {
        return givenUp.tryAcquire(20, TimeUnit.SECONDS);
    }

    /**
     * Ends the server and its connections.
     *
     * @throws IOException when that fails
     */
    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : clients) {
            client.close();
        }
    }
}
