package org.lrwp.osp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.lrwp.osp.statistics.CallMetrics;
import org.lrwp.runtime.BadOptionException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Metrics ({@code /metrics}) and status ({@code /status}) on a port of the loopback address, which
 * is written into the data folder.
 */
final class AdminServer implements AutoCloseable {
    /** The file with the port. */
    static final String PORT_FILE = "admin.port";

    private static final int BACKLOG = 16;

    private final HttpServer server;

    private AdminServer(HttpServer server) {
        this.server = server;
    }

    static AdminServer start(
            int port, Path data, CallMetrics metrics, Supplier<List<String>> status)
            throws BadOptionException {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            server.setExecutor(
                    Executors.newSingleThreadExecutor(
                            Thread.ofPlatform().daemon().name("osp-admin").factory()));
            server.createContext("/metrics", exchange -> answer(exchange, metrics.text()));
            server.createContext(
                    "/status",
                    exchange -> answer(exchange, String.join("\n", status.get()) + "\n"));
            server.start();
            Files.writeString(
                    data.resolve(PORT_FILE), Integer.toString(server.getAddress().getPort()));
            return new AdminServer(server);
        } catch (IOException taken) {
            throw new BadOptionException("admin.port: " + port + " cannot be used");
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            byte[] octets = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, octets.length);
            exchange.getResponseBody().write(octets);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
