package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.net.Socket;
import java.util.Map;

/** A host of the proxy's own: no page of a peer is of the console's origin. */
class EdgeOwnHostTest extends EdgeListener {
    @Override
    Map<String, String> settings() {
        return Map.of("lrwp.status.own-hosts", "Console.test");
    }

    private static String get(String path, String host) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }

    @Test
    void itHasThePagesOfTheProxyAndNothingElse() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            for (String host : new String[] {"console.test", "CONSOLE.test:81", "console.test."}) {
                for (String path : new String[] {"/peer", "/file", "/-/../peer"}) {
                    send(client, get(path, host));
                    String head = upTo(client, "\r\n\r\n");
                    assertTrue(head.startsWith("HTTP/1.1 404 "), head);
                    upTo(client, "\n");
                    assertEquals("not-found", log.take().reason());
                }
                send(client, get("/%2d/x", host));
                upTo(client, "page /-/x");
            }
            send(client, get("/peer", "other.test"));
            upTo(client, "hello");
        }
    }
}
