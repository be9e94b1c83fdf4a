package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.net.HttpURLConnection;

class LoopbackServerTest {
    @Test
    void requestsReachTheHandler() throws Exception {
        try (LoopbackServer server =
                LoopbackServer.start(
                        exchange -> {
                            boolean known = exchange.getRequestURI().getPath().equals("/a");
                            exchange.sendResponseHeaders(known ? 204 : 404, -1);
                            exchange.close();
                        })) {
            assertEquals(204, status(server, "/a"));
            assertEquals(404, status(server, "/b"));
        }
    }

    private static int status(LoopbackServer server, String path) throws Exception {
        var connection = (HttpURLConnection) server.url(path).toURL().openConnection();
        return connection.getResponseCode();
    }
}
