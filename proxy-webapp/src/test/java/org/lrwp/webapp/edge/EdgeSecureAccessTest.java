package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.Socket;
import java.util.Map;

/** Clients that are kept on HTTPS; those that have it come by a trusted proxy here. */
class EdgeSecureAccessTest extends EdgeListener {
    private static final String SECURE =
            "X-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.7\r\n";
    private static final String HSTS = "\r\nStrict-Transport-Security: max-age=86400\r\n";

    @Override
    Map<String, String> settings() {
        return Map.of(
                "lrwp.https.redirect-port", "8443",
                "lrwp.https.hsts", "1d",
                "lrwp.request.trusted-proxies", "127.0.0.1");
    }

    private static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: a:80\r\n" + fields + "\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "/peer/a%20b?x=/-/&y, https://a:8443/peer/a%20b?x=/-/&y",
        "/page.html, https://a:8443/page.html",
        "http://a/peer, https://a:8443/peer",
        "http://a, https://a:8443/",
        "/.well-known/acme-challenge/../../peer,"
                + " https://a:8443/.well-known/acme-challenge/../../peer"
    })
    void aPlainRequestIsSentToHttps(String target, String location) throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, get(target, ""));
            String head = upTo(client, "\r\n\r\n");

            assertTrue(head.startsWith("HTTP/1.1 308 "), head);
            assertTrue(head.contains("\r\nLocation: " + location + "\r\n"), head);
            assertFalse(head.contains("Strict-Transport-Security"), head);
            assertEquals("https-redirect", log.take().reason());
        }
    }

    @Test
    void theBodyOfARedirectedRequestIsNotTheNextRequest() throws Exception {
        try (Socket client = client()) {
            send(
                    client,
                    "POST /peer HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nGET /peer"
                            + get("/peer", ""));
            for (int i = 0; i < 2; i++) {
                assertTrue(upTo(client, "\r\n\r\n").contains("HTTP/1.1 308 "));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"page, /-/health/live", "container, /.well-known/acme-challenge/token"})
    void whatIsAskedByProbesIsAnsweredOnThePlainPort(String who, String target) throws Exception {
        try (Socket client = client()) {
            send(client, get(target, ""));
            assertTrue(upTo(client, who + " " + target).startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void answersOverTlsTellBrowsersToRemember() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, get("/peer", SECURE));
            String answer = upTo(client, "hello");
            assertTrue(answer.contains(HSTS), answer);
        }
    }

    @Test
    void thePeersOwnWordIsTheOnlyOne() throws Exception {
        answer("Strict-Transport-Security: max-age=5", "hello");
        try (Socket client = client()) {
            send(client, get("/peer", SECURE));
            String answer = upTo(client, "hello");
            assertTrue(answer.contains("\r\nStrict-Transport-Security: max-age=5\r\n"), answer);
            assertFalse(answer.contains(HSTS), answer);
        }
    }
}
