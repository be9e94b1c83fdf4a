package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.time.Duration;
import java.util.List;

/** Answers that break the rules of frames and heads. */
@SystemTest
@ServerConfig
class BrokenAnswerIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration BRIEFLY = Duration.ofMillis(150);

    static List<String> brokenHeads() {
        return List.of(
                "Content-Type: text/plain\r\nno colon\r\n\r\nbody",
                "Bad Name: x\r\n\r\nbody",
                "X-Value: a\0b\r\n\r\nbody",
                "X-Value: a\rb\r\n\r\nbody",
                "X-Value: a\r\n folded\r\n\r\nbody",
                "Status: 99\r\n\r\nbody",
                "Status: 100 Continue\r\n\r\nbody",
                "Status: many\r\n\r\nbody",
                "HTTP/2 200\r\n\r\nbody",
                "HTTP/1.1 1000 Much\r\n\r\nbody",
                "Content-Length: 3\r\n\r\nbody",
                "Content-Length: 5\r\n\r\nbody",
                "Content-Length: -1\r\n\r\nbody",
                "Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
                "X-Long: " + "x".repeat(70_000) + "\r\n\r\nbody",
                "x".repeat(70_000));
    }

    @ParameterizedTest
    @MethodSource("brokenHeads")
    void brokenHeadFailsTheRequestAndThePeerStays(String output, Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x");
        peer.request();

        peer.answer(output);

        Answers.requireError(502, "broken-head", client.answer());
        assertEquals(End.OPEN, peer.end(BRIEFLY));
        client.request("GET", scene.path("/next"));
        assertEquals("/next", peer.request().env("PATH_INFO"));
        peer.text("right");
        assertEquals("right", client.answer().text());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000003x",
                "-00000030",
                "+00000030",
                "       30",
                "hello you",
                "\0\0\0\0\0\0\0\0\0"
            })
    void brokenLengthFailsTheRequestAndThePeer(String digits, Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x");
        peer.request();

        peer.wire().send(digits);

        Answers.requireError(502, "broken-frame", client.answer());
        assertTrue(peer.end(SOON) != End.OPEN);
        scene.requireNext(client);
    }

    @Test
    void brokenFrameIsLoggedWithPeerContextAndEscapedBytes(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x");
        peer.request();

        peer.wire().send("ab\u001b[31m\ncd");

        Answers.requireError(502, "broken-frame", client.answer());
        Wait.require(
                "a log line",
                SOON,
                () ->
                        scene.proxy()
                                .output()
                                .lines()
                                .anyMatch(
                                        line ->
                                                line.contains("/" + scene.app())
                                                        && line.contains("ab")
                                                        && line.contains("[31m")
                                                        && !line.contains("\u001b")));
    }

    @Test
    void zeroLengthFailsTheRequestAndThePeerStays(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x");
        peer.request();

        peer.wire().send("000000000");

        assertEquals(502, client.answer().status());
        client.request("GET", scene.path("/next"));
        peer.request();
        peer.text("right");
        assertEquals("right", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void bytesBehindTheAnswerCostThePeerItsConnection(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x");
        peer.request();

        peer.wire().send("000000030Content-Type: text/plain\r\n\r\nok" + "extra");

        assertEquals("ok", client.answer().text());
        assertTrue(peer.end(SOON) != End.OPEN);
        scene.requireNext(client);
    }

    @Test
    void bytesOfAnIdlePeerCostItItsConnectionAndNobodyElseAnything(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp first = scene.get("/first");
        peer.request();
        peer.text("first");
        assertEquals("first", first.answer().text());

        peer.wire().send("000000030Content-Type: text/plain\r\n\r\nxx");

        assertTrue(peer.end(SOON) != End.OPEN);
        scene.echo();
        RawHttp client = scene.client();
        Answers.requireEcho("GET", "/x", "", client.get(scene.path("/x")));
    }

    @Test
    void answerThatIsLongAndWronglyMeasuredIsCutWhenItHasBegun(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x");
        peer.request();

        peer.answer("Content-Length: 5\r\n\r\n" + "y".repeat(300_000));

        HttpAnswer answer = client.answer();
        assertEquals(502, answer.status(), answer.toString());
        scene.requireNext(scene.client());
    }

    @Test
    void lengthThatArrivesByteByByteIsALength(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x");
        peer.request();

        peer.wire().sendSingly(ScriptedPeer.frame(ScriptedPeer.plain("split")));

        assertEquals("split", client.answer().text());
        scene.requireNext(client);
    }
}
