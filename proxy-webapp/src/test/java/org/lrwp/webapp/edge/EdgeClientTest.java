package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.ServingPeer;

import java.net.Socket;

/** Whose requests peer and log are told of, behind a trusted proxy. */
class EdgeClientTest extends EdgeListener {
    private static String get(String fields) {
        return "GET /peer HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    @Test
    void eachRequestOfAProxysConnectionIsItsClients() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, get("Forwarded: for=\"192.0.2.7:4711\";proto=https\r\n"));
            upTo(client, "hello");
            String first = peer.take();
            assertTrue(first.contains("\nREMOTE_ADDR=192.0.2.7\nREMOTE_PORT=4711\n"), first);
            assertTrue(first.contains("\nHTTPS=on\n"), first);
            assertEquals("192.0.2.7", log.take().client());

            send(client, get("X-Forwarded-For: 198.51.100.1, 2001:db8::1\r\n"));
            upTo(client, "hello");
            String second = peer.take();
            assertTrue(second.contains("\nREMOTE_ADDR=2001:db8:0:0:0:0:0:1\n"), second);
            assertTrue(second.contains("\nREMOTE_PORT=0\n"), second);
            assertFalse(second.contains("\nHTTPS="), second);
            assertEquals("2001:db8:0:0:0:0:0:1", log.take().client());

            send(client, GET);
            upTo(client, "hello");
            String own = peer.take();
            assertTrue(own.contains("\nREMOTE_ADDR=127.0.0.1\n"), own);
            assertTrue(own.contains("\nREMOTE_PORT=" + client.getLocalPort() + "\n"), own);
            assertFalse(own.contains("LRWP_FORWARDED"), own);
            assertEquals("127.0.0.1", log.take().client());
        }
    }

    @Test
    void aClientThatCannotBeReadIsTheProxyAndStillForwarded() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, get("Forwarded: for=_hidden\r\n"));
            upTo(client, "hello");

            String seen = peer.take();
            assertTrue(seen.contains("\nREMOTE_ADDR=127.0.0.1\n"), seen);
            assertTrue(seen.contains("\nLRWP_FORWARDED=1\n"), seen);
        }
    }
}
