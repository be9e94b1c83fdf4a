package org.lrwp.webapp.glassfish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.webapp.servlet.ScriptedPeer;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Whole requests, and what is given to the container. */
class DirectClientTest extends DirectListener {
    @Test
    void theAnswerOfThePeerIsAllThatComes() throws Exception {
        ScriptedPeer peer = answer("Content-Type: text/plain\r\nX-A: 1\r\nX-A: 2", "hello");
        try (Socket client = client()) {
            for (int i = 0; i < 3; i++) {
                send(client, post("/peer/x?q", "body" + i));

                assertEquals(
                        "HTTP/1.1 200 OK\r\n"
                                + DATE
                                + "Content-Type: text/plain\r\n"
                                + "X-A: 1\r\n"
                                + "X-A: 2\r\n"
                                + "Content-Length: 5\r\n\r\n"
                                + "hello",
                        upTo(client, "hello"));
                String seen = peer.requests.take();
                assertTrue(seen.contains("PATH_INFO=/x") && seen.endsWith("body" + i), seen);
                assertEquals("/peer/x?q", log.take().target());
            }
        }
    }

    @Test
    void anErrorIsOneAnswerAndTheConnectionGoesOn() throws Exception {
        answer("no field", "");
        try (Socket client = client()) {
            for (int i = 0; i < 2; i++) {
                send(client, GET);
                String head = upTo(client, "\r\n\r\n");
                assertTrue(head.startsWith("HTTP/1.1 502 Bad Gateway\r\n" + DATE), head);
                assertFalse(head.contains("Connection:"), head);
                upTo(client, "\n");
            }
            send(client, "HEAD" + GET.substring(3));
            String head = upTo(client, "\r\n\r\n");
            assertTrue(head.contains("\r\nContent-Length: "), head);
            send(client, GET);
            assertTrue(upTo(client, "\r\n").startsWith("HTTP/1.1 502 "));
        }
    }

    @Test
    void headAndNoContentHaveNoBody() throws Exception {
        answer("Status: 204 None", "");
        try (Socket client = client()) {
            send(client, GET);
            assertEquals("HTTP/1.1 204 None\r\n" + DATE + "\r\n", upTo(client, "\r\n\r\n"));
            send(client, "HEAD" + GET.substring(3));
            assertEquals("HTTP/1.1 204 None\r\n" + DATE + "\r\n", upTo(client, "\r\n\r\n"));
        }
    }

    @Test
    void whoAsksForTheEndGetsIt() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, "GET /peer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertTrue(upTo(client, "hello").contains("\r\nConnection: close\r\n"));
            assertTrue(isClosed(client));
        }
    }

    @Test
    void anOldClientThatAsksForItStaysConnected() throws Exception {
        answer("Content-Type: text/plain", "hello");
        String get = "GET /peer HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
        try (Socket client = client()) {
            for (int i = 1; i < MOST_REQUESTS; i++) {
                send(client, get);
                assertEquals(
                        "HTTP/1.1 200 OK\r\n"
                                + DATE
                                + "Content-Type: text/plain\r\n"
                                + "Connection: keep-alive\r\n"
                                + "Content-Length: 5\r\n\r\n"
                                + "hello",
                        upTo(client, "hello"));
            }
            send(client, get);
            assertTrue(upTo(client, "hello").contains("\r\nConnection: close\r\n"));
            assertTrue(isClosed(client));
        }
    }

    @Test
    void anOldClientThatAsksForNothingIsLeft() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, "POST /peer HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc");
            String text = upTo(client, "hello");
            assertTrue(text.contains("\r\nConnection: close\r\nContent-Length: 5\r\n"), text);
            assertTrue(isClosed(client));
        }
    }

    @Test
    void theContainersLimitOfRequestsHolds() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            for (int i = 1; i < MOST_REQUESTS; i++) {
                send(client, GET);
                assertFalse(upTo(client, "hello").contains("Connection:"));
            }
            send(client, GET);
            assertTrue(upTo(client, "hello").contains("\r\nConnection: close\r\n"));
            assertTrue(isClosed(client));
        }
    }

    @Test
    void otherOctetsGoToTheContainerAndSoDoesTheRest() throws Exception {
        answer("X-A: 1", "hello");
        List<Supplier<String[]>> others =
                List.of(
                        () -> new String[] {post("/file", "abc"), "container /file 3"},
                        () -> new String[] {post("/-/peer", "abc"), "container /-/peer 3"},
                        () ->
                                new String[] {
                                    post("/peer", "x".repeat(1001)), "container /peer 1001"
                                },
                        () -> new String[] {GET + GET, "container /peer 0"},
                        () -> new String[] {post("/peer/%2e", "abc"), "container /peer/%2e 3"});
        for (Supplier<String[]> other : others) {
            try (Socket client = client()) {
                send(client, GET);
                assertTrue(upTo(client, "hello").endsWith("hello"));
                send(client, other.get()[0]);
                upTo(client, other.get()[1]);
            }
        }
    }

    @Test
    void connectionsGoToTheContainerWhenTheFrontIsShut() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET);
            upTo(client, "hello");
            clients.shut();
            send(client, GET);
            upTo(client, "container /peer 0");
            try (Socket next = client()) {
                send(next, GET);
                upTo(next, "container /peer 0");
            }
        }
    }

    @Test
    void aSlowReaderOfALongAnswerGetsAllOfIt() throws Exception {
        String body = "0123456789".repeat(800_000);
        answer("X-A: 1", body);
        try (Socket client = client();
                Socket other = client()) {
            send(client, GET);
            String head = upTo(client, "\r\n\r\n");
            assertTrue(head.contains("\r\nX-A: 1\r\n"), head);
            send(other, post("/file", ""));
            upTo(other, "container /file 0");
            byte[] octets = client.getInputStream().readNBytes(body.length());
            assertEquals(body, new String(octets, StandardCharsets.US_ASCII));
            send(client, "HEAD" + GET.substring(3));
            upTo(client, "\r\n\r\n");
        }
    }

    @Test
    void aClientThatHasLeftCostsNobodyElse() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET);
            client.setSoLinger(true, 0);
        }
        try (Socket next = client()) {
            send(next, GET);
            upTo(next, "hello");
        }
    }
}
