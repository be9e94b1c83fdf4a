package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.Socket;
import java.util.Map;

/** A host of the proxy's own: no page of a peer is of the console's origin. */
class EdgeOwnHostTest extends EdgeListener {
    @Override
    Map<String, String> settings() {
        return Map.of("lrwp.status.own-hosts", "Console.test");
    }

    /** The answer to a request of its own connection, up to a text. */
    private String asked(String path, String host, String end) throws Exception {
        try (Socket client = client()) {
            send(client, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            return upTo(client, end);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"console.test", "CONSOLE.test:81", "console.test."})
    void itHasThePagesOfTheProxyAndNothingElse(String host) throws Exception {
        answer("X-A: 1", "hello");
        for (String path : new String[] {"/peer", "/file", "/-/../peer"}) {
            String answer = asked(path, host, "not-found");
            assertTrue(answer.startsWith("HTTP/1.1 404 "), answer);
            assertEquals("not-found", log.take().reason());
        }
        asked("/%2d/x", host, "page /-/x");
        asked("/peer", "other.test", "hello");
    }
}
