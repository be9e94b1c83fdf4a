package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/** The examples of each language, as real processes. */
@SystemTest
@ServerConfig
class PeerLanguagesIT {
    private static final String VERSION = "3.0";

    private static ExamplePeer start(
            PeerLanguage language, String example, Scene scene, String app, String... options)
            throws Exception {
        int port = scene.proxy().lrwpPort();
        ExamplePeer peer = scene.closing(ExamplePeer.start(language, example, port, app, options));
        peer.awaitRegistered(VERSION);
        awaitContext(scene, app);
        return peer;
    }

    /** The proxy hears of a peer's capacity, and so of its context, after its acceptance. */
    private static void awaitContext(Scene scene, String app) throws Exception {
        Wait.require(
                "the context is served",
                Duration.ofSeconds(5),
                () -> scene.proxy().status().number("/" + app, "connections") > 0);
    }

    @ParameterizedTest
    @EnumSource
    void echoGivesBackSmallAndLargeBodies(PeerLanguage language, Scene scene) throws Exception {
        start(language, "echo", scene, scene.app());
        RawHttp client = scene.client();

        HttpAnswer small = client.get(scene.path("/a%20b"));
        Answers.requireEcho("GET", "/a b", "", small);
        assertEquals(Optional.of(language.label()), small.value("X-Peer"));
        for (int size : List.of(5, 16_384, 65_536, 1_000_000)) {
            byte[] body = Bytes.random(size, size);
            client.post(scene.path("/" + size), body);
            requireEcho("POST /" + size + "\n", body, client.answer());
        }
        scene.requireNext(client);
    }

    /** Without printing what is not the same. */
    private static void requireEcho(String line, byte[] body, HttpAnswer answer) {
        assertEquals(200, answer.status(), answer.toString());
        byte[] expected = Bytes.join(Bytes.of(line), body);
        assertEquals(-1, Arrays.mismatch(expected, answer.body()), "where " + line + " differs");
    }

    @ParameterizedTest
    @EnumSource
    void requestsOfManyClientsAreNotMixedUp(PeerLanguage language, Scene scene) throws Exception {
        start(language, "echo", scene, scene.app(), "--concurrency", "4");
        List<Future<Integer>> clients = new ArrayList<>();

        // No more than the queue holds: a client may ask again before its answer's slot is free.
        for (int i = 0; i < 5; i++) {
            String name = "/client-" + i + "-";
            clients.add(scene.meanwhile(() -> rounds(scene, name)));
        }

        for (Future<Integer> client : clients) {
            assertEquals(25, client.get());
        }
    }

    private static int rounds(Scene scene, String name) throws IOException {
        RawHttp client = scene.client();
        int round = 0;
        while (round < 25) {
            byte[] body = Bytes.random(round * 1_000, round);
            client.post(scene.path(name + round), body);
            requireEcho("POST " + name + round + "\n", body, client.answer());
            round++;
        }
        return round;
    }

    @ParameterizedTest
    @EnumSource
    void postOfXmlGetsXml(PeerLanguage language, Scene scene) throws Exception {
        start(language, "post", scene, scene.app());
        RawHttp client = scene.client();
        byte[] message =
                Files.readAllBytes(
                        Project.root()
                                .resolve("osp-sample-peer/samples/authorisation-request.xml"));

        client.post(scene.path(""), message, "Content-Type: text/xml");
        HttpAnswer answer = client.answer();
        assertEquals(200, answer.status(), answer.toString());
        assertEquals(Optional.of("text/xml"), answer.value("Content-Type"));
        assertTrue(answer.text().contains("messageId=\"1001\""), answer.text());
        assertTrue(answer.text().contains("componentId=\"1000\""), answer.text());
        assertTrue(answer.text().contains("<AuthorizationResponse"), answer.text());

        client.post(scene.path(""), Bytes.of("<nothing/>"));
        assertEquals(400, client.answer().status());
        HttpAnswer got = client.get(scene.path(""));
        assertEquals(405, got.status());
        assertEquals(Optional.of("POST"), got.value("Allow"));
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatCannotBeSentIs500AndTheHandlersFailureToo(PeerLanguage language, Scene scene)
            throws Exception {
        ExamplePeer peer = start(language, "fail", scene, scene.app());
        RawHttp client = scene.client();

        for (String way : waysToFail(language)) {
            HttpAnswer answer = client.get(scene.path(way));
            assertEquals(500, answer.status(), way + ": " + answer);
            assertEquals(Optional.empty(), answer.value("Set-Cookie"), way);
        }
        peer.awaitLine("failed");
        assertEquals("fine\n", client.get(scene.path("/other")).text());
        scene.requireNext(client);
    }

    private static List<String> waysToFail(PeerLanguage language) {
        return switch (language) {
            case C -> List.of("/value", "/name", "/end", "/type", "/fail", "/nothing");
            case GO -> List.of("/value", "/nul", "/name", "/type", "/throw");
            case JAVA -> List.of("/value", "/wide", "/nul", "/name", "/type", "/throw");
            case PYTHON, JAVASCRIPT ->
                    List.of("/value", "/wide", "/nul", "/name", "/type", "/object", "/throw");
        };
    }

    @ParameterizedTest
    @EnumSource
    void eventIsWithTheClientBeforeTheNextIsMade(PeerLanguage language, Scene scene)
            throws Exception {
        ExamplePeer peer = start(language, "events", scene, scene.app());
        RawHttp client = scene.get("");
        readUntil(client, "data: tick 1\n\n");
        long first = System.nanoTime();
        readUntil(client, "data: tick 2\n\n");
        long second = System.nanoTime();

        peer.awaitLine("event 3");
        assertTrue(first < peer.time("event 2").orElseThrow(), "event 1 came late");
        assertTrue(second < peer.time("event 3").orElseThrow(), "event 2 came late");

        client.close();
        peer.awaitLine("cancelled");
        scene.requireNext(scene.client());
    }

    private static void readUntil(RawHttp client, String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            int unit = client.wire().read();
            assertTrue(unit >= 0, "the stream ended after " + seen);
            seen.append((char) unit);
        }
    }

    @ParameterizedTest
    @EnumSource
    void workStopsWhenItsTimeIsOver(PeerLanguage language, Scene scene) throws Exception {
        ExamplePeer peer = start(language, "slow", scene, scene.app(), "--concurrency", "1");
        RawHttp client = scene.get("");
        peer.awaitLine("began");

        Answers.requireError(504, "peer-timeout", client.answer());
        peer.awaitLine("cancelled");
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource
    void peerThatIsToldToLeaveFailsNoRequest(PeerLanguage language, Scene scene) throws Exception {
        String app = "patient";
        ExamplePeer leaver = start(language, "drain", scene, app, "--concurrency", "2");
        RawHttp begun = scene.client();
        RawHttp late = scene.client();
        begun.request("GET", "/" + app + "/begun");
        leaver.awaitLine("began");

        leaver.terminate();
        leaver.awaitLine("drain");
        late.post("/" + app + "/late", Bytes.of("body"));

        assertEquals("done", begun.answer().text().strip());
        leaver.awaitLine("drained").awaitEnd();
        start(language, "drain", scene, app);
        assertEquals("done", late.answer().text().strip());
        scene.requireNext(begun);
    }
}
