package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.config.ConfigReader;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The cookie by which a client comes back to a process, as clients see it. */
class EdgeStickyTest extends EdgeListener {
    @TempDir private Path folder;

    @Override
    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("lrwp.context./peer.sticky-cookie", "at");
        return settings;
    }

    private ServingPeer saying(String fields, String text) throws IOException {
        return ServingPeer.saying(
                engine.agentAddress().getPort(),
                "peer",
                "Content-Type: text/plain\r\n" + fields + "\r\n" + text);
    }

    private static String asked(Socket client, String fields, String end) throws IOException {
        send(client, "GET /peer/x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
        return upTo(client, end);
    }

    private static String cookie(String answer) {
        int at = answer.indexOf("\r\nSet-Cookie: ");
        return at < 0 ? "" : answer.substring(at + 14, answer.indexOf("\r\n", at + 2));
    }

    @Test
    void aClientComesBackWithItsCookieAndGetsNoSecondOne() throws Exception {
        try (ServingPeer _ = saying("", "one");
                Socket client = client()) {
            String set = cookie(asked(client, "", "one"));
            assertTrue(
                    set.matches("at=[A-Za-z0-9_-]{22}; Path=/peer; HttpOnly; SameSite=Lax"), set);
            try (ServingPeer _ = saying("", "two")) {
                String value = set.substring(0, set.indexOf(';'));
                for (int i = 0; i < 4; i++) {
                    String again = asked(client, "Cookie: a=b; " + value + "; c=d\r\n", "one");
                    assertEquals("", cookie(again));
                    assertFalse(again.contains("Cache-Control"), again);
                }
            }
        }
    }

    @Test
    void aCookieThatNobodyHasSetIsReplaced() throws Exception {
        try (ServingPeer _ = saying("Cache-Control: max-age=60\r\n", "one");
                Socket client = client()) {
            String answer = asked(client, "Cookie: at=" + "x".repeat(22) + "; at=\"<\r\n", "one");
            assertTrue(cookie(answer).startsWith("at="), answer);
            assertTrue(answer.contains("\r\nCache-Control: max-age=60\r\n"), answer);
            assertTrue(answer.contains("\r\nCache-Control: private\r\n"), answer);
        }
    }

    @Test
    void noSharedCacheKeepsAnAnswerWithACookie() throws Exception {
        String fields = "CDN-Cache-Control: max-age=600\r\nSurrogate-Control: max-age=600\r\n";
        try (ServingPeer _ = saying(fields, "one");
                Socket client = client()) {
            String first = asked(client, "", "one");
            assertTrue(first.contains("\r\nCache-Control: private\r\n"), first);
            assertFalse(first.contains("CDN-Cache-Control"), first);
            assertFalse(first.contains("Surrogate-Control"), first);

            String value = cookie(first).substring(0, cookie(first).indexOf(';'));
            String again = asked(client, "Cookie: " + value + "\r\n", "one");
            assertTrue(again.contains("\r\nCDN-Cache-Control: max-age=600\r\n"), again);
        }
    }

    @Test
    void anAnswerOfTheCacheSetsNoCookie() throws Exception {
        var settings =
                Map.of(
                        "lrwp.agent.port", "0",
                        "lrwp.context./peer.cache", "true",
                        "lrwp.cache.file", folder.resolve("cache").toString(),
                        "lrwp.cache.size", "4MiB");
        CacheConfig cache = ConfigReader.read(Map.of(), settings, null, "1").cache();
        engine.openCache(Objects.requireNonNull(cache), head -> false);
        try (ServingPeer peer = saying("Cache-Control: max-age=60\r\n", "one");
                Socket client = client()) {
            String first = asked(client, "", "one");
            assertEquals("", cookie(first), first);
            assertTrue(asked(client, "", "one").contains("hit"));
            assertEquals(1, peer.seen().size());

            send(client, "POST /peer/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
            assertTrue(cookie(upTo(client, "one")).startsWith("at="), "what passes the cache does");
        }
    }
}
