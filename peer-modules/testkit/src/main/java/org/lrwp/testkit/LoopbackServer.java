package org.lrwp.testkit;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server that a test plays, on a free port of the loopback address. */
public final class LoopbackServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private LoopbackServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @param handler answers all requests, each on a thread of its own
     * @return the server
     */
    public static LoopbackServer start(HttpHandler handler) {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var started = new LoopbackServer(HttpServer.create(address, 0));
            started.server.setExecutor(started.threads);
            started.server.createContext("/", handler);
            started.server.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the address of something on this server.
     *
     * @param path begins with {@code /}
     * @return its URL
     */
    public URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    /** Ends the server, and interrupts what it is answering. Idempotent. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
