package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.protocol.HeaderField;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.RequestConfig;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.inspector.Repeats;

import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Requests that are inspected, from real clients to real peers. */
class EdgeInspectorTest extends EdgeListener {
    @Override
    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("lrwp.context./peer.inspect", "3");
        settings.put("lrwp.context./peer.inspect-body", "64");
        settings.put("lrwp.context./peer.compress", "gzip");
        settings.put("lrwp.context./peer.compress-least", "0");
        settings.put("lrwp.inspect.mask", "X-Secret, token");
        settings.put("lrwp.inspect.memory", "8KiB");
        return settings;
    }

    private static String fields(List<HeaderField> fields) {
        return fields.stream()
                .map(field -> field.name() + ": " + field.value())
                .collect(Collectors.joining(" | "));
    }

    private String asked(Socket client, String request, String end) throws Exception {
        send(client, request);
        String answer = upTo(client, end);
        log.take();
        return answer;
    }

    private static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    private Repeats repeats() throws Exception {
        Map<String, String> system = new HashMap<>(settings());
        RequestConfig config = ConfigReader.read(Map.of(), system, null, "1").request();
        return new Repeats(inspector, engine, () -> config, new RequestIds(7));
    }

    @Test
    void headsAndBodiesAreKeptAndSecretsAreNot() throws Exception {
        answer("Content-Type: text/plain\r\nSet-Cookie: s=hidden\r\nX-A: 1", "hello you");
        try (Socket client = client()) {
            asked(
                    client,
                    String.join(
                            "\r\n",
                            "POST /peer/x?a=1&token=hidden&b=2 HTTP/1.1",
                            "Host: a",
                            "Cookie: c=hidden",
                            "authorization: Basic hidden",
                            "x-secret: hidden",
                            "X-B: 2",
                            "Referer: http://a/?token=hidden#x",
                            "Content-Length: 5",
                            "",
                            "whole"),
                    "hello you");
        }
        Inspection one = inspector.all().getFirst();
        assertEquals("/peer/x?a=1&token=***&b=2", one.target());
        assertEquals(
                "Host: a | Cookie: *** | authorization: *** | x-secret: *** | X-B: 2 | Referer:"
                        + " http://a/?token=***#x | Content-Length: 5",
                fields(one.fields()));
        assertEquals("whole", one.body().text());
        assertEquals(
                "Content-Type: text/plain | Set-Cookie: *** | X-A: 1", fields(one.answerFields()));
        assertEquals("hello you", one.answerBody().text());
        ExchangeRecord end = one.end();
        assertNotNull(end);
        assertEquals(200, end.status());
        assertEquals("answered", end.reason());
        assertEquals("/peer", one.context());
    }

    @Test
    void anIdThatTwoRequestsHaveAtOnceIsTheFirstOnes() throws Exception {
        Socket other = client();
        try (ScriptedPeer peer = silentPeer();
                Socket one = client()) {
            send(one, get("/peer/one", "X-Request-Id: same-same\r\n"));
            peer.request();
            send(other, get("/peer/other", "X-Request-Id: same-same\r\n"));
            other.close();
            assertEquals("client-gone", log.take().reason());
            peer.answer("X-A: 1\r\n\r\nhello");
            upTo(one, "hello");
            log.take();
        }
        assertEquals("/peer/one", inspector.all().getFirst().target());
    }

    @Test
    void bodiesAreCutAndKeptAsThePeerSentThem() throws Exception {
        answer("Content-Type: text/plain", "word ".repeat(100));
        try (Socket client = client()) {
            String head = asked(client, get("/peer/x", "Accept-Encoding: gzip\r\n"), "\r\n\r\n");
            assertTrue(head.contains("Content-Encoding: gzip"), head);
        }
        Inspection one = inspector.all().getFirst();
        assertEquals(500, one.answerBody().length());
        assertFalse(one.answerBody().isWhole());
        assertEquals("word ".repeat(13).substring(0, 64), one.answerBody().text());
        assertTrue(one.body().isWhole());
    }

    @Test
    void bytesThatAreNoTextAreShownInBase64() throws Exception {
        answer("X-A: 1", "a\u0001b");
        try (Socket client = client()) {
            asked(client, get("/peer/x", ""), "b");
        }
        assertEquals("base64:YQFi", inspector.all().getFirst().answerBody().text());
    }

    @Test
    void onlyTheLastAreKeptWithinTheirMemory() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            for (int i = 0; i < 4; i++) {
                asked(client, get("/peer/" + i, ""), "hello");
            }
        }
        assertEquals(
                List.of("/peer/3", "/peer/2", "/peer/1"),
                inspector.all().stream().map(Inspection::target).toList());
        assertNull(inspector.find("unknown"));
        try (Socket client = client()) {
            asked(client, get("/peer/" + "x".repeat(1500), ""), "hello");
            asked(client, get("/peer/" + "y".repeat(1500), ""), "hello");
        }
        assertEquals(1, inspector.all().size(), "8 KiB are used up");
    }

    @Test
    void aRequestIsSentOnceMoreWithoutItsSecrets() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        try (Socket client = client()) {
            asked(
                    client,
                    "POST /peer/x?a=1 HTTP/1.1\r\nHost: a\r\nCookie: c=hidden\r\nX-B: 2\r\n"
                            + "Content-Length: 4\r\n\r\nbody",
                    "hello");
        }
        peer.take();
        String id = inspector.all().getFirst().id();

        Repeats.Result result = repeats().repeat(id);

        assertEquals(" Fields that are masked were left out.", result.sentence());
        String seen = peer.take();
        assertTrue(seen.contains("\nHTTP_X_B=2\n"), seen);
        assertTrue(seen.contains("\nQUERY_STRING=a=1\n"), seen);
        assertTrue(seen.contains("\nCONTENT_LENGTH=4\n"), seen);
        assertTrue(seen.contains("\nHTTP_X_REQUEST_ID=" + result.id() + "\n"), seen);
        assertFalse(seen.contains("COOKIE"), seen);
        ExchangeRecord line = log.take();
        assertEquals("answered", line.reason());
        assertEquals("repeat", line.way());
        Inspection again = inspector.find(result.id());
        assertNotNull(again);
        assertEquals(id, again.repeats());
        assertEquals("hello", again.answerBody().text());
    }

    @Test
    void whatIsNotKeptWholeIsNotRepeated() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            asked(client, post("/peer/x", "b".repeat(65)), "hello");
            asked(client, get("/peer/x?token=1", ""), "hello");
        }
        Repeats repeats = repeats();
        for (Inspection one : inspector.all()) {
            Repeats.Result result = repeats.repeat(one.id());
            assertEquals("", result.id());
            assertTrue(result.isKnown());
        }
        assertFalse(repeats.repeat("unknown").isKnown());
    }
}
