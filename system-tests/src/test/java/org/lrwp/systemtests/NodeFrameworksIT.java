package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.NodeExamples;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.systemtests.harness.WebSocket;
import org.lrwp.testkit.wire.Bytes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** What people write with Node's frameworks, dialled in by the JavaScript library. */
@SystemTest
@ServerConfig
class NodeFrameworksIT {
    private static final Duration LONGEST_RUN = Duration.ofSeconds(60);
    private static final int LINES = 1000;

    enum Framework {
        EXPRESS,
        FASTIFY,
        KOA;

        ExamplePeer start(Scene scene) throws Exception {
            Path folder = NodeExamples.install("frameworks");
            Path program = folder.resolve(name().toLowerCase(Locale.ROOT) + ".mjs");
            ExamplePeer peer = NodeExamples.start(program, scene, scene.app());
            peer.awaitRegistered("3.0");
            Wait.require(
                    "the context is served",
                    Duration.ofSeconds(5),
                    () -> scene.proxy().status().number(scene.path(""), "connections") > 0);
            return peer;
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsAndAnswersAreThoseOfTheFramework(Framework framework, Scene scene)
            throws Exception {
        framework.start(scene);
        RawHttp client = scene.client();

        HttpAnswer hello = client.get(scene.path("/hello/world?q=1"));
        String url = scene.path("/hello/world?q=1");
        assertEquals(
                "{\"hello\":\"world\",\"url\":\"" + url + "\",\"ip\":\"127.0.0.1\"}", hello.text());
        assertEquals(2, hello.values("Set-Cookie").size(), hello.toString());

        client.post(scene.path("/json"), Bytes.of("{\"n\":1}"), "Content-Type: application/json");
        HttpAnswer created = client.answer();
        assertEquals(201, created.status(), created.toString());
        assertEquals("{\"n\":1}", created.text());

        client.request("HEAD", scene.path("/hello/world"));
        assertEquals(200, client.answerToHead().status());
        assertEquals(404, client.get(scene.path("/none")).status());
        assertEquals(500, client.get(scene.path("/fail")).status());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource
    void bodiesAreStreamedBothWays(Framework framework, Scene scene) throws Exception {
        framework.start(scene);
        RawHttp client = scene.client();
        String type = "Content-Type: application/octet-stream";

        byte[] body = Bytes.random(3_000_000, 1);
        client.post(scene.path("/upload"), body, type);
        assertEquals(body.length + "\n", client.answer().text());
        client.request("POST", scene.path("/upload"), type, "Transfer-Encoding: chunked");
        for (int i = 0; i < 10; i++) {
            client.wire().send(Bytes.join(Bytes.of("186a0\r\n"), new byte[100_000]));
            client.send("\r\n");
        }
        client.send("0\r\n\r\n");
        assertEquals("1000000\n", client.answer().text());

        HttpAnswer stream = client.get(scene.path("/stream"));
        assertEquals(LINES, stream.text().lines().count());
        assertTrue(stream.text().endsWith("line " + LINES + "\n"), stream.toString());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource
    void aRollingRestartFailsNoRequest(Framework framework, Scene scene) throws Exception {
        ExamplePeer old = framework.start(scene);
        AtomicBoolean over = new AtomicBoolean();
        Future<Integer> load = scene.meanwhile(() -> load(scene, over));

        for (int round = 0; round < 2; round++) {
            ExamplePeer next = framework.start(scene);
            scene.awaitPeers(2);
            old.terminate();
            old.awaitLine("drained").awaitEnd();
            old = next;
        }
        over.set(true);
        assertTrue(load.get() > 0);
    }

    private static int load(Scene scene, AtomicBoolean over) throws Exception {
        RawHttp client = scene.client();
        int answered = 0;
        while (!over.get()) {
            client.post(
                    scene.path("/json"), Bytes.of("{\"n\":2}"), "Content-Type: application/json");
            HttpAnswer answer = client.answer();
            assertEquals(201, answer.status(), answer.toString());
            answered++;
        }
        return answered;
    }

    @Test
    void webSocketGoesBesideTheApplication(Scene scene) throws Exception {
        Framework.EXPRESS.start(scene);

        try (WebSocket socket = WebSocket.open(scene.client(), scene.path("/socket"))) {
            for (String text : List.of("hello", "x".repeat(200_000))) {
                socket.text(text);
                assertEquals(text, socket.text());
            }
        }
        assertEquals(200, scene.client().get(scene.path("/hello/still")).status());
    }

    /** The tests that are written beside the library, against a proxy that they play. */
    @Test
    void theLibraryKeepsItsOwnTests() throws Exception {
        Tools.require("node", "openssl");
        Path library = Project.root().resolve("peers/javascript");
        String printed =
                Tools.run(
                        Project.target(),
                        LONGEST_RUN,
                        "",
                        List.of(
                                "sh",
                                "-c",
                                "cd \"$0\" && exec node --test --test-reporter=tap test/*.test.mjs",
                                library.toString()));
        assertTrue(printed.contains("\n# fail 0\n"), printed);
    }
}
