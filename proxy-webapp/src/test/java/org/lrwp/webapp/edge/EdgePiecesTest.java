package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;

/** Requests that come in pieces, and what is left of them. */
class EdgePiecesTest extends EdgeListener {
    @Test
    void requestsInPiecesAreWaitedFor() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        String text = post("/peer/pieces", "abcdef");
        int body = text.indexOf("abcdef");
        for (int[] cuts : List.of(new int[] {1, 20, body}, new int[] {body + 1, body + 3})) {
            try (Socket client = client()) {
                int sent = 0;
                for (int cut : cuts) {
                    send(client, text.substring(sent, cut));
                    pause();
                    sent = cut;
                }
                // What follows comes with the end of the body, and is read for itself.
                send(client, text.substring(sent) + post("/peer/next", "xy"));
                upTo(client, "hello");
                upTo(client, "hello");
            }
            requireSeen(peer, "/pieces", "abcdef");
            requireSeen(peer, "/next", "xy");
        }
    }

    private static void requireSeen(ServingPeer peer, String path, String body) throws Exception {
        String seen = peer.take();
        while (!seen.contains("PATH_INFO=" + path)) {
            seen = peer.take();
        }
        assertTrue(seen.endsWith("\n" + body), seen);
    }

    @Test
    void piecesOfOtherRequestsReachTheContainerWhole() throws Exception {
        answer("X-A: 1", "hello");
        for (String other : List.of("\r\n" + post("/file", "abc"), post("/file", "abc"))) {
            for (int cut : new int[] {5, 30}) {
                try (Socket client = client()) {
                    send(client, other.substring(0, cut));
                    pause();
                    send(client, other.substring(cut) + post("/file", "abcd"));
                    upTo(client, " 3");
                    upTo(client, "container /file 4");
                }
            }
        }
    }

    @Test
    void aHeadThatHasBegunGoesToTheContainerWhenTheFrontIsShut() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET.substring(0, 9));
            pause();
            edge.shut();
            send(client, GET.substring(9));
            upTo(client, "container /peer 0");
        }
    }

    @Test
    void whatIsLeftOfABodyReachesNobodyWhenTheApplicationGoes() throws Exception {
        answer("X-A: 1", "hello");
        String file = GET.replace("peer", "file");
        String filler = "x".repeat(MOST_BODY + 1);
        try (Socket waited = client();
                Socket refused = client();
                Socket begun = client()) {
            String whole = post("/peer", file);
            send(waited, whole.substring(0, whole.length() - file.length()));
            String large = post("/peer", filler + file);
            send(refused, large.substring(0, large.length() - file.length()));
            upTo(refused, "HTTP/1.1 413 ");
            send(begun, GET.substring(0, 9));
            pause();
            edge.shut();
            engine.close();
            for (Socket client : List.of(waited, refused)) {
                sendUnlessClosed(client, file);
                assertFalse(rest(client).contains("container"));
            }
            send(begun, GET.substring(9));
            upTo(begun, "container /peer 0");
        }
    }

    private static void sendUnlessClosed(Socket client, String text) throws IOException {
        try {
            send(client, text);
        } catch (SocketException closed) {
            assertTrue(isClosed(client));
        }
    }

    @Test
    void whoWaitsToBeToldIsTold() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        String text = post("/peer", "abc").replace("Host", "Expect: 100-continue\r\nHost");
        try (Socket client = client()) {
            send(client, text.substring(0, text.length() - 3));
            assertEquals("HTTP/1.1 100 Continue\r\n\r\n", upTo(client, "\r\n\r\n"));
            send(client, "abc");
            assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200 "));
            assertTrue(peer.take().endsWith("abc"));
            send(client, text);
            assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void whatIsLeftOfARefusedRequestIsDropped() throws Exception {
        answer("X-A: 1", "hello");
        String large = post("/peer", "x".repeat(MOST_BODY + 100));
        int cut = large.length() - 700;
        try (Socket client = client()) {
            for (int i = 1; i < MOST_REQUESTS; i += 2) {
                send(client, large.substring(0, cut));
                assertTrue(upTo(client, "\r\n\r\n").startsWith("HTTP/1.1 413 "));
                upTo(client, "\n");
                send(client, large.substring(cut, cut + 1));
                pause();
                send(client, large.substring(cut + 1) + GET);
                assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200 "));
            }
            send(client, large.substring(0, cut));
            assertTrue(upTo(client, "\r\n\r\n").contains("\r\nConnection: close\r\n"));
            send(client, large.substring(cut));
            upTo(client, "\n");
            assertTrue(isClosed(client));
        }
    }

    @Test
    void whoLeavesAmidARequestIsLogged() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            String text = post("/peer/left", "abc");
            send(client, text.substring(0, text.length() - 1));
            client.shutdownOutput();
            assertTrue(isClosed(client));
        }
        assertEquals("client-gone", log.take().reason());
    }

    @Test
    void aMethodThatBeginsAsHttp2DoesIsReadAsWell() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, "P");
            pause();
            send(client, post("/peer", "abc").substring(1));
            assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200 "));
        }
    }
}
