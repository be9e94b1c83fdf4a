package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Traffic rules of a context, as clients and peers see them. */
class EdgeTrafficTest extends EdgeListener {
    private static final String TEXT = "words and words, ".repeat(200);

    @Override
    Map<String, String> settings() {
        return Map.of(
                "lrwp.context./peer.client-rate", "1",
                "lrwp.context./peer.client-burst", "3",
                "lrwp.context./peer.client-name", "field X-Key",
                "lrwp.context./peer.remove-request-fields", "X-Internal",
                "lrwp.context./peer.set-request-fields", "X-Tier: gold | X-Other: a: b",
                "lrwp.context./peer.remove-answer-fields", "X-Powered-By",
                "lrwp.context./peer.set-answer-fields", "X-Frame-Options: DENY",
                "lrwp.context./peer.compress", "gzip, br");
    }

    /** What is put into a head may be more than it has room for. */
    @Nested
    class OfLargeHeads extends EdgeListener {
        @Override
        Map<String, String> settings() {
            return Map.of(
                    "lrwp.request.head", "64KiB",
                    "lrwp.request.env-block", "128KiB",
                    "lrwp.context./peer.set-request-fields", "X-Tier: " + "gold".repeat(100));
        }

        @Test
        void aHeadThatDoesNotFitWithWhatIsPutIntoItIsTooLarge() throws Exception {
            answer("X-A: 1", "hello");
            try (Socket client = client()) {
                send(client, get("X-Long: " + "x".repeat(65_300) + "\r\n"));
                String refused = upTo(client, "head-too-large");
                assertTrue(refused.startsWith("HTTP/1.1 431 "), refused);
            }
            try (Socket client = client()) {
                send(client, get("X-Long: " + "x".repeat(20_000) + "\r\n"));
                upTo(client, "hello");
            }
        }
    }

    private static String get(String fields) {
        return "GET /peer/x?q=1 HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }

    @Test
    void aClientAboveItsRateIsToldWhenToAskAgain() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            for (int i = 0; i < 3; i++) {
                send(client, get("X-Key: a\r\n"));
                upTo(client, "hello");
                assertEquals("answered", log.take().reason());
            }
            send(client, get("X-Key: a\r\n"));
            String refused = upTo(client, "rate-limited");
            assertTrue(refused.startsWith("HTTP/1.1 429 "), refused);
            assertTrue(refused.contains("\r\nRetry-After: 1\r\n"), refused);
            ExchangeRecord line = log.take();
            assertEquals("rate-limited", line.reason());
            assertEquals("/peer", line.context());
        }
        try (Socket client = client()) {
            send(client, get("X-Key: b\r\n"));
            upTo(client, "hello");
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            send(client, get("X-Key: a\r\n"));
            upTo(client, "hello");
        }
    }

    @Test
    void fieldsAreRemovedAndSetBothWays() throws Exception {
        ServingPeer peer = answer("X-Powered-By: old\r\nx-frame-options: ALLOW", "hello");
        try (Socket client = client()) {
            send(
                    client,
                    "POST /peer/x?q=1 HTTP/1.1\r\nHost: a\r\nX-Internal: secret\r\nX-Tier: iron\r\n"
                            + "Content-Length: 4\r\n\r\nbody");
            String answered = upTo(client, "hello");
            assertTrue(answered.contains("\r\nX-Frame-Options: DENY\r\n"), answered);
            assertFalse(answered.contains("ALLOW"), answered);
            assertFalse(answered.contains("X-Powered-By"), answered);
            String seen = peer.take();
            assertTrue(seen.contains("\nHTTP_X_TIER=gold\n"), seen);
            assertTrue(seen.contains("\nHTTP_X_OTHER=a: b\n"), seen);
            assertFalse(seen.contains("secret"), seen);
            assertFalse(seen.contains("iron"), seen);
            assertTrue(seen.contains("\nQUERY_STRING=q=1\n"), seen);
            assertTrue(seen.contains("\nCONTENT_LENGTH=4\n"), seen);
        }
    }

    @Test
    void answersAreCompressedForThoseWhoTakeIt() throws Exception {
        answer("Content-Type: text/plain\r\nETag: \"v\"", TEXT);
        try (Socket client = client()) {
            send(client, get("Accept-Encoding: gzip\r\n"));
            String head = upTo(client, "\r\n\r\n");
            assertTrue(head.contains("\r\nContent-Encoding: gzip\r\n"), head);
            assertTrue(head.contains("\r\nETag: W/\"v\"\r\n"), head);
            int at = head.indexOf("Content-Length: ") + "Content-Length: ".length();
            int length = Integer.parseInt(head.substring(at, head.indexOf("\r\n", at)));
            assertTrue(length < TEXT.length() / 5, head);
            byte[] sent = client.getInputStream().readNBytes(length);
            try (var in = new GZIPInputStream(new ByteArrayInputStream(sent))) {
                assertArrayEquals(TEXT.getBytes(StandardCharsets.US_ASCII), in.readAllBytes());
            }

            send(client, get(""));
            String plain = upTo(client, TEXT);
            assertTrue(plain.contains("\r\nVary: Accept-Encoding\r\n"), plain);
            assertFalse(plain.contains("Content-Encoding"), plain);
        }
    }
}
