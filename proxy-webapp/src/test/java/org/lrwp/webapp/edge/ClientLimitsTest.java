package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLException;

/** Clients whose address has too much open, or that dribble what nobody wants any more. */
class ClientLimitsTest extends EdgeListener {
    private static final String FILE = "GET /file HTTP/1.1\r\nHost: a\r\n\r\n";

    @Override
    Map<String, String> settings() {
        return Map.of(
                "lrwp.client.max-connections-per-address", "3",
                "lrwp.client.max-requests-per-address", "2",
                "lrwp.client.exempt-networks", "192.0.2.0/24",
                "lrwp.request.trusted-proxies", "198.51.100.0/24");
    }

    private static boolean isServed(Socket client) throws IOException {
        try {
            send(client, FILE);
            return client.getInputStream().read() == 'H';
        } catch (SocketException | SSLException reset) {
            return false;
        }
    }

    @Test
    void connectionAboveTheLimitIsClosed() throws Exception {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(client());
            assertTrue(isServed(clients.getLast()));
        }
        try (Socket more = client()) {
            assertTrue(isClosed(more));
        }
        try (Socket more = client()) {
            assertTrue(isClosed(more));
        }
        for (Socket client : clients) {
            client.close();
        }
        awaitRoom();
    }

    /** Those that have closed are forgotten as soon as the container has noticed. */
    private void awaitRoom() throws IOException {
        boolean served = false;
        while (!served) {
            try (Socket next = client()) {
                served = isServed(next);
            }
        }
    }

    @Test
    void requestAboveTheLimitGets503AndOneThatEndsMakesRoom() throws Exception {
        try (ScriptedPeer peer = silentPeer();
                Socket first = client();
                Socket second = client();
                Socket third = client()) {
            send(first, GET);
            peer.request();
            send(second, GET);
            pauseFor(2);
            send(third, GET);
            String refused = upTo(third, "\r\n\r\n");
            assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
            assertTrue(refused.contains("Retry-After: 1\r\n"), refused);
            assertEquals("too-many-requests", log.take().reason());
            upTo(third, "\n");

            first.shutdownOutput();
            assertEquals("client-gone", log.take().reason());
            send(third, GET);
            pauseFor(2);
            assertEquals(2, engine.status().exchanges().size());
        }
    }

    private void pauseFor(int exchanges) {
        while (engine.status().exchanges().size() < exchanges) {
            Thread.onSpinWait();
        }
    }
}
