package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.ServingPeer;

import java.net.Socket;
import java.util.Map;

/** Clients that no word is taken from, as they are no trusted proxies. */
class EdgeStrangersTest extends EdgeListener {
    @Override
    Map<String, String> settings() {
        return Map.of("lrwp.request.trusted-proxies", "");
    }

    @Test
    void forwardingFieldsAreDroppedAndTheRequestIsNotTakenForALocalOne() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        try (Socket client = client()) {
            String fields = "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n";
            send(client, "GET /peer HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            upTo(client, "hello");

            String seen = peer.take();
            assertTrue(seen.contains("\nREMOTE_ADDR=127.0.0.1\n"), seen);
            assertTrue(seen.contains("\nLRWP_FORWARDED=1\n"), seen);
            assertFalse(seen.contains("HTTP_X_FORWARDED"), seen);
            assertFalse(seen.contains("\nHTTPS="), seen);
            assertEquals("127.0.0.1", log.take().client());
        }
    }
}
