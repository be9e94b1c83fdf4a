package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Requests that break HTTP: 400 and the connection closed, and never a second request out of one.
 */
@SystemTest
@ServerConfig
class BadHttpIT {
    private static final String HOST = "Host: a\r\n";

    /** Requests for {@code /CONTEXT}, which a peer serves. */
    static List<String> mustBeRejected() {
        return List.of(
                "GET /CONTEXT HTTP/1.1\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\nHost: user@a\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\nHost: a/b\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\n" + HOST + "Bad Name: x\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\n" + HOST + "Na(me: x\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\n" + HOST + "Name : x\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\n" + HOST + "X: a\0b\r\n\r\n",
                "GET /CONTEXT HTTP/1.1\r\n" + HOST + "X: a\u0001b\r\n\r\n",
                "GE(T /CONTEXT HTTP/1.1\r\n" + HOST + "\r\n",
                "POST /CONTEXT HTTP/1.1\r\n"
                        + HOST
                        + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST /CONTEXT HTTP/1.1\r\n" + HOST + "Content-Length: +5\r\n\r\nhello",
                "POST /CONTEXT HTTP/1.1\r\n" + HOST + "Content-Length: -5\r\n\r\nhello",
                "POST /CONTEXT HTTP/1.1\r\n" + HOST + "Content-Length: 5, 5\r\n\r\nhello",
                "POST /CONTEXT HTTP/1.1\r\n" + HOST + "Content-Length: 0x5\r\n\r\nhello",
                "POST /CONTEXT HTTP/1.1\r\n" + HOST + "Content-Length:\r\n\r\nhello",
                "POST /CONTEXT HTTP/1.1\r\n" + HOST + "Transfer-Encoding: gzip\r\n\r\nhello",
                "POST /CONTEXT HTTP/1.1\r\n"
                        + HOST
                        + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "POST /CONTEXT HTTP/1.1\r\n"
                        + HOST
                        + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
                "POST /CONTEXT HTTP/1.1\r\n"
                        + HOST
                        + "Transfer-Encoding: chunked\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + "0\r\n\r\n",
                "GET /CONTEXT%00 HTTP/1.1\r\n" + HOST + "\r\n",
                "GET /CONTEXT/%2f HTTP/1.1\r\n" + HOST + "\r\n",
                "GET /CONTEXT/%zz HTTP/1.1\r\n" + HOST + "\r\n",
                "GET /CONTEXT/\u0001 HTTP/1.1\r\n" + HOST + "\r\n");
    }

    @ParameterizedTest
    @MethodSource("mustBeRejected")
    void brokenRequestIsRefusedAndItsConnectionClosed(String request, Scene scene)
            throws Exception {
        ServingPeer peer = scene.echo();
        RawHttp client = scene.client();

        client.send(request.replace("CONTEXT", scene.app()));
        client.wire().halfClose();

        assertEquals(400, client.answer().status());
        assertEquals(0, rest(client), "bytes behind the answer");
        assertEquals(List.of(), peer.seen());
    }

    /** Whatever is done with these, what follows is never a request. */
    static List<String> smuggled() {
        String second = "GET /CONTEXT/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
        return List.of(
                "POST /CONTEXT/first HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"
                        + "Transfer-Encoding: xchunked\r\n\r\nabc"
                        + second,
                "GET /CONTEXT/first HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + second);
    }

    @ParameterizedTest
    @MethodSource("smuggled")
    void noSecondRequestIsMadeOfTheFirst(String bytes, Scene scene) throws Exception {
        ServingPeer peer = scene.echo();
        RawHttp client = scene.client();

        client.send(bytes.replace("CONTEXT", scene.app()));
        client.wire().halfClose();
        rest(client);

        for (RequestFrame request : peer.seen()) {
            assertEquals("/first", request.env("PATH_INFO"));
            assertEquals("" + request.body().length, request.env("CONTENT_LENGTH"));
        }
        assertTrue(peer.seen().size() <= 1);
    }

    /** The container hides the length from the servlet: chunks count, and nothing is believed. */
    @Test
    void lengthBesideChunksNeverReachesThePeer(Scene scene) throws Exception {
        ServingPeer peer = scene.echo();
        RawHttp client = scene.client();

        client.send(
                client.head(
                                "POST",
                                scene.path("/first"),
                                "Content-Length: 50",
                                "Transfer-Encoding: chunked")
                        + "3\r\nabc\r\n0\r\n\r\n");

        int status = client.answer().status();
        assertTrue(status == 200 || status == 400, "status " + status);
        for (RequestFrame request : peer.seen()) {
            assertEquals("abc", request.text());
            assertEquals("3", request.env("CONTENT_LENGTH"));
            assertEquals("3", request.env("HTTP_CONTENT_LENGTH"));
        }
    }

    /** Names and values pass unchanged and parse back to the same. */
    @ParameterizedTest
    @MethodSource("oddButLegal")
    void oddButLegalFieldsPass(Map.Entry<String, String> field, Scene scene) throws Exception {
        ServingPeer peer = scene.echo();
        RawHttp client = scene.client();

        String line = field.getKey() + ": " + field.getValue();
        assertEquals(200, client.get(scene.path("/x"), line).status());

        String name = "HTTP_" + field.getKey().toUpperCase(Locale.ROOT).replace('-', '_');
        assertEquals(field.getValue(), peer.seen().getFirst().env(name));
        scene.requireNext(client);
    }

    static List<Map.Entry<String, String>> oddButLegal() {
        return List.of(
                Map.entry("X-Equals", "a=b=c"),
                Map.entry("X-Quote", "\"a, b\"; c"),
                Map.entry("X-Tab", "a\tb"),
                Map.entry("X-Empty", ""),
                Map.entry("X-9", "~!@#$%^&*()"));
    }

    /** Bytes until the end of the connection. */
    private static int rest(RawHttp client) throws IOException {
        try {
            return Bytes.text(client.wire().readAll()).length();
        } catch (SocketException | EOFException e) {
            return 0;
        }
    }
}
