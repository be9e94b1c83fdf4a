package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Clients that speak HTTP/2 without TLS: many requests at once on one connection. */
@SystemTest
@ServerConfig(http2 = true)
class Http2IT {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

    private static HttpRequest.Builder request(Scene scene, String rest) {
        int port = scene.proxy().httpPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + scene.path(rest)))
                .timeout(Duration.ofSeconds(60));
    }

    /** The first request of a connection asks for the newer protocol, as HTTP/1.1. */
    private void upgrade(Scene scene) throws Exception {
        scene.<AutoCloseable>closing(client::shutdownNow);
        HttpResponse<String> answer =
                client.send(request(scene, "/-upgrade").build(), BodyHandlers.ofString());
        assertEquals(HttpClient.Version.HTTP_2, answer.version());
    }

    private static HttpResponse<String> get(CompletableFuture<HttpResponse<String>> answer)
            throws Exception {
        return answer.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private CompletableFuture<HttpResponse<String>> ask(Scene scene, String rest) {
        return client.sendAsync(request(scene, rest).build(), BodyHandlers.ofString());
    }

    @Test
    void manyRequestsOnOneConnectionAreAnsweredInWhateverOrder(Scene scene) throws Exception {
        upgrade(scene);
        FramePeer peer = scene.framePeer("capacity=64");
        int count = 40;
        Map<String, CompletableFuture<HttpResponse<String>>> asked = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            asked.put("/" + i, ask(scene, "/" + i));
        }
        Deque<StreamedRequest> requests = new ArrayDeque<>();
        while (requests.size() < count) {
            requests.push(peer.request());
        }

        for (StreamedRequest last : requests) {
            assertEquals("HTTP/2.0", last.env("SERVER_PROTOCOL"));
            peer.text(last.stream(), last.path());
        }

        for (var one : asked.entrySet()) {
            HttpResponse<String> answer = get(one.getValue());
            assertEquals(one.getKey(), answer.body());
            assertEquals(HttpClient.Version.HTTP_2, answer.version());
        }
        scene.requireNext(scene.client());
    }

    @Test
    void aHeadThatIsLongButWithinTheLimitIsTaken(Scene scene) throws Exception {
        upgrade(scene);
        scene.serving(
                frame -> ScriptedPeer.plain(Integer.toString(frame.env("HTTP_COOKIE").length())));
        scene.awaitPeers(1);
        String cookie = "c=" + "x".repeat(20_000);

        HttpResponse<String> answer =
                client.send(
                        request(scene, "/long").header("Cookie", cookie).build(),
                        BodyHandlers.ofString());

        assertEquals(200, answer.statusCode());
        assertEquals(Integer.toString(cookie.length()), answer.body());
    }

    @Test
    void aLongBodyPassesBothWays(Scene scene) throws Exception {
        upgrade(scene);
        byte[] body = Bytes.random(3_000_000, 17);
        scene.serving(
                frame ->
                        Bytes.join(
                                Bytes.of("Content-Type: application/octet-stream\r\n\r\n"),
                                frame.body()));
        scene.awaitPeers(1);

        HttpResponse<byte[]> answer =
                client.send(
                        request(scene, "/long").POST(BodyPublishers.ofByteArray(body)).build(),
                        BodyHandlers.ofByteArray());

        assertEquals(200, answer.statusCode());
        assertArrayEquals(body, answer.body());
    }

    @Test
    void aBodyThatItsPeerTakesSlowlyPasses(Scene scene) throws Exception {
        upgrade(scene);
        byte[] body = Bytes.random(80_000, 31);
        FramePeer peer = scene.framePeer("stream=1", "window=10000");
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(
                        request(scene, "/slowly").POST(BodyPublishers.ofByteArray(body)).build(),
                        BodyHandlers.ofString());

        StreamedRequest sent = peer.request("/slowly");
        assertArrayEquals(body, peer.body(sent));
        peer.text(sent.stream(), "taken");

        assertEquals("taken", get(answer).body());
    }

    @Test
    void anAnswerThatIsNotReadHoldsUpNoOtherOfItsConnection(Scene scene) throws Exception {
        upgrade(scene);
        byte[] large = Bytes.random(2_000_000, 23);
        ScriptedPeer peer = scene.peer();
        CompletableFuture<HttpResponse<InputStream>> unread =
                client.sendAsync(request(scene, "/large").build(), BodyHandlers.ofInputStream());
        peer.request();
        peer.answer(Bytes.join(ScriptedPeer.plain(""), large));
        try (InputStream slow = unread.get(SOON.toSeconds(), TimeUnit.SECONDS).body()) {
            CompletableFuture<HttpResponse<String>> other = ask(scene, "/next");
            assertEquals("/next", peer.request().env("PATH_INFO"));
            peer.text("at once");
            assertEquals("at once", get(other).body());

            assertArrayEquals(large, slow.readAllBytes());
        }
    }

    @Test
    void aRequestThatItsClientGivesUpIsOver(Scene scene) throws Exception {
        upgrade(scene);
        ScriptedPeer peer = scene.peer();
        CompletableFuture<HttpResponse<String>> given = ask(scene, "/given-up");
        peer.request();
        given.cancel(true);
        peer.text("to nobody");
        Wait.require("it is over", SOON, () -> scene.proxy().status().inFlight() == 0);

        CompletableFuture<HttpResponse<String>> next = ask(scene, "/next");
        assertEquals("/next", peer.request().env("PATH_INFO"));
        peer.text("right");
        assertEquals("right", get(next).body());
    }

    @Test
    void anErrorIsAsClearAsWithHttp1(Scene scene) throws Exception {
        upgrade(scene);
        HttpResponse<String> answer = get(ask(scene, "/nobody"));
        assertEquals(404, answer.statusCode());
        assertTrue(answer.body().contains("not-found"), answer.body());
    }

    /** RFC 9110 sections 8.6 and 15.3.6. */
    @Test
    void anAnswerWithoutBodySaysNothingOfOne(Scene scene) throws Exception {
        upgrade(scene);
        FramePeer peer = scene.framePeer();
        for (int status : new int[] {204, 205, 304}) {
            var asked = ask(scene, "/" + status);
            String head = "Status: " + status + "\nContent-Type: a/b\nContent-Length: 4\n\nbody";
            int stream = peer.request("/" + status).stream();
            peer.send(Frame.of(Frame.RESPONSE, stream, head).ending());

            HttpResponse<String> answer = get(asked);
            assertEquals(status, answer.statusCode());
            assertEquals("", answer.body());
            String length = answer.headers().firstValue("Content-Length").orElse("0");
            assertEquals("0", length, "of " + status);
        }
    }
}
