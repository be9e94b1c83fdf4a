package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.testkit.wire.LogLines;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.client.RequestEntry;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Whole requests, and what is given to the container. */
class EdgeConnectionTest extends EdgeListener {
    @Test
    void theLimitOfHeadsHoldsAsSoonAsItIsChanged() throws Exception {
        answer("X-A: 1", "hello");
        String head = "GET /peer HTTP/1.1\r\nHost: a\r\nX-Long: " + "x".repeat(3_000);
        for (int i = 0; i < 2; i++) {
            change("request.head", "32KiB");
            try (Socket client = client()) {
                send(client, head + "\r\n\r\n");
                upTo(client, "hello");
            }
            change("request.head", "2KiB");
            try (Socket client = client()) {
                send(client, head + "\r\n\r\n");
                assertTrue(upTo(client, "head-too-large").startsWith("HTTP/1.1 431 "));
            }
        }
    }

    @Test
    void theAnswerOfThePeerIsAllThatComes() throws Exception {
        ServingPeer peer = answer("Content-Type: text/plain\r\nX-A: 1\r\nX-A: 2", "hello");
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
                String seen = peer.take();
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

    /** The container expects none, and would read it as the next request. */
    @ParameterizedTest
    @CsvSource({
        "TRACE, Content-Length: 32",
        "TRACE, Transfer-Encoding: chunked",
        "HEAD, Content-Length: 32",
        "HEAD, Transfer-Encoding: chunked",
    })
    void aBodyThatTheContainerDoesNotExpectIsRefused(String method, String framing)
            throws Exception {
        try (Socket client = client()) {
            send(client, method + " /file HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n");
            String head = upTo(client, "\r\n\r\n");
            assertTrue(head.startsWith("HTTP/1.1 400 "), head);
            assertTrue(head.contains("\r\nConnection: close\r\n"), head);
            assertEquals("bad-request", log.take().reason());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00ff3.0\u00ffosp\u00ff\u00ff", "osp\u00ff\u00ff"})
    void aPeerAtTheHttpPortIsToldSo(String hello) throws Exception {
        try (var told = new LogLines(RequestEntry.class);
                Socket client = client()) {
            send(client, hello);
            String answer = upTo(client, "peers.");
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            assertTrue(answer.contains("This port is for HTTP, not for LRWP peers."), answer);
            assertEquals("bad-request", log.take().reason());
            String line = told.take();
            assertTrue(line.contains(" port " + engine.agentAddress().getPort() + "\""), line);
        }
    }

    @Test
    void theContainerGetsAHeadAndAPeerItsBody() throws Exception {
        answer("X-A: 1", "");
        try (Socket client = client()) {
            send(client, "HEAD /file HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertTrue(upTo(client, "\r\n\r\n").startsWith("HTTP/1.1 200 "));
            send(client, "HEAD" + post("/peer", "whole").substring(4));
            assertTrue(upTo(client, "\r\n\r\n").startsWith("HTTP/1.1 200 "));
            assertEquals(5, log.take().requestBytes());
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
    void whatIsForNoPeerGoesToTheContainerAndTheConnectionComesBack() throws Exception {
        answer("X-A: 1", "hello");
        List<String[]> others =
                List.of(
                        new String[] {post("/file", "abc"), "container /file 3"},
                        new String[] {chunked("/file"), "container /file 6"},
                        new String[] {post("/other/peer", "abc"), "container /other/peer 3"},
                        new String[] {post("/file", "x".repeat(300_000)), "container /file 300000"},
                        new String[] {post("http://b:81/a%20b?c", "abc"), "container /a%20b 3"});
        for (String[] other : others) {
            try (Socket client = client()) {
                for (int i = 1; i < MOST_REQUESTS; i += 2) {
                    send(client, GET);
                    assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200 "));
                    send(client, other[0]);
                    upTo(client, other[1]);
                }
            }
        }
    }

    private static String chunked(String path) {
        return "POST %s HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".formatted(path)
                + "3;a=\"b\"\r\nabc\r\n03\r\ndef\r\n0\r\nX-T: 1\r\n\r\n";
    }

    @Test
    void aRequestForAPeerIsAnsweredWhateverItsShape() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        String large = "0123456789".repeat(MOST_BODY / 10);
        List<String[]> shapes =
                List.of(
                        new String[] {chunked("/peer/x"), "/x", "abcdef"},
                        new String[] {post("/peer/%61/./b/../c", "abc"), "/a/c", "abc"},
                        new String[] {post("/other/../peer//y", "abc"), "/y", "abc"},
                        new String[] {post("http://a/peer/z?q", "abc"), "/z", "abc"},
                        new String[] {post("/peer/l", large), "/l", large},
                        new String[] {"\r\n" + post("/peer/e", "abc"), "/e", "abc"},
                        new String[] {post("/peer/v", "a").replace("/1.1", "/1.7"), "/v", "a"});
        for (String[] shape : shapes) {
            for (int cut = 1; cut < shape[0].length(); cut += 1 + shape[0].length() / 3) {
                try (Socket client = client()) {
                    send(client, shape[0].substring(0, cut));
                    pause();
                    send(client, shape[0].substring(cut));
                    assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200 "));
                }
                String seen = peer.take();
                while (seen.contains("PATH_INFO=\n")) {
                    seen = peer.take();
                }
                assertTrue(seen.contains("PATH_INFO=" + shape[1] + "\n"), seen);
                assertTrue(seen.endsWith("\n" + shape[2]), seen);
            }
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrderWhoeverAnswersThem() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        String two = chunked("/file/1") + post("/peer/2", "ab");
        String four = two + GET.replace("/peer", "/file/3") + post("/peer/4", "cd");
        for (int cut : new int[] {four.length(), 40, 70, 95, 120, four.length() - 1}) {
            try (Socket client = client()) {
                send(client, four.substring(0, cut));
                pause();
                send(client, four.substring(cut));
                upTo(client, "container /file/1 6");
                upTo(client, "hello");
                upTo(client, "container /file/3 0");
                upTo(client, "hello");
            }
        }
        assertTrue(peer.seen().size() >= 12);
    }

    @ParameterizedTest
    @CsvSource({
        "'GET /peer HTTP/1.1|', 400",
        "'GET /peer HTTP/1.1|Host: a|Host: a|', 400",
        "'GET /file HTTP/1.1|Host: a| x: y|', 400",
        "'POST /file HTTP/1.1|Host: a|Content-Length: 1|Transfer-Encoding: chunked|', 400",
        "'POST /file HTTP/1.1|Host: a|Transfer-Encoding: gzip, chunked|', 501",
        "'GET /file/../../x HTTP/1.1|Host: a|', 400",
        "'GET /file/..;/x HTTP/1.1|Host: a|', 400",
        "'GET /file%2fx HTTP/1.1|Host: a|', 400",
        "'GET /file HTTP/3.0|Host: a|', 505",
        "'GET  /file HTTP/1.1|Host: a|', 400",
        "'GET /file|Host: a|', 400",
    })
    void aRequestThatBreaksARuleGetsOneErrorAndTheEnd(String text, int status) throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET);
            upTo(client, "hello");
            send(client, text.replace("|", "\r\n") + "\r\n" + GET);
            String all = rest(client);
            assertTrue(all.startsWith("HTTP/1.1 " + status + " "), all);
            assertTrue(all.contains("\r\nConnection: close\r\n"), all);
            assertEquals(all.indexOf("HTTP/1.1"), all.lastIndexOf("HTTP/1.1"), all);
        }
        log.take();
        assertEquals(status, log.take().status());
    }

    @Test
    void aLongHeadIsRefused() throws Exception {
        answer("X-A: 1", "hello");
        for (String[] one :
                new String[][] {
                    {GET.replace("Host", "X: " + "x".repeat(40_000) + "\r\nHost"), "431"},
                    {GET.replace("peer", "x".repeat(40_000)), "414"}
                }) {
            try (Socket client = client()) {
                send(client, one[0]);
                assertTrue(upTo(client, "\r\n").startsWith("HTTP/1.1 " + one[1] + " "));
            }
        }
    }

    @Test
    void brokenChunksCostTheirOwnRequestOnly() throws Exception {
        answer("X-A: 1", "hello");
        for (String path : List.of("/peer", "/file")) {
            try (Socket client = client()) {
                send(client, chunked(path).replace("03\r\n", "0x\r\n") + GET);
                String all = rest(client);
                assertTrue(all.startsWith("HTTP/1.1 400 "), all);
                assertFalse(all.contains("200 OK"), all);
            }
        }
    }

    @Test
    void connectionsGoToTheContainerWhenTheFrontIsShut() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET);
            upTo(client, "hello");
            edge.shut();
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
            byte[] bytes = client.getInputStream().readNBytes(body.length());
            assertEquals(body, new String(bytes, StandardCharsets.US_ASCII));
            send(client, "HEAD" + GET.substring(3));
            upTo(client, "\r\n\r\n");
        }
    }

    @Test
    void aClientThatHasLeftCostsNobodyElse() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, GET);
            reset(client);
        }
        try (Socket next = client()) {
            send(next, GET);
            upTo(next, "hello");
        }
    }
}
