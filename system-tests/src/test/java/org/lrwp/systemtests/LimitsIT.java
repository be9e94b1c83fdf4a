package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.time.Duration;

/** Requests above a limit, which are refused while they are still sent. */
@SystemTest
@ServerConfig
class LimitsIT {
    private static final Duration BRIEFLY = Duration.ofMillis(100);

    @ParameterizedTest
    @ValueSource(ints = {1001, 200_000, 900_000})
    void bodyAboveItsLimitIsRefusedAndTheRestDropped(int length, Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer("narrow");
        RawHttp client = scene.client();

        client.post("/narrow/x", Bytes.random(length, 1));

        Answers.requireError(413, "body-too-large", client.answer());
        assertEquals(End.OPEN, peer.end(BRIEFLY));
        scene.requireNext(client);
    }

    @Test
    void bodyAtItsLimitPasses(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer("narrow");
        RawHttp client = scene.client();
        client.post("/narrow/x", new byte[1000]);

        assertEquals(1000, peer.request().body().length);
        peer.text("fits");
        assertEquals("fits", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void refusalOfALargeBodyComesBeforeTheBody(Scene scene) throws Exception {
        scene.peer("narrow");
        RawHttp client = scene.client();

        client.send(client.head("POST", "/narrow/x", "Content-Length: 900000") + "begin");

        Answers.requireError(413, "body-too-large", client.answer());
    }

    @Test
    void refusalOfABodyAboveTheDropLimitSaysClose(Scene scene) throws Exception {
        scene.peer("narrow");
        RawHttp client = scene.client();

        client.send(client.head("POST", "/narrow/x", "Content-Length: 50000000") + "begin");

        HttpAnswer answer = client.answer();
        Answers.requireError(413, "body-too-large", answer);
        assertTrue(answer.saysClose());
    }

    @Test
    void chunkedBodyThatGrowsAboveItsLimitIsRefused(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer("narrow");
        RawHttp client = scene.client();
        client.send(client.head("POST", "/narrow/x", "Transfer-Encoding: chunked"));
        String chunk = "190\r\n" + "x".repeat(400) + "\r\n";
        client.send(chunk + chunk + chunk + "0\r\n\r\n");

        Answers.requireError(413, "body-too-large", client.answer());
        assertEquals(End.OPEN, peer.end(BRIEFLY));
        scene.requireNext(client);
    }

    @Test
    void headThatTheContainerTakesReachesThePeerWhole(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.client();
        String value = "v".repeat(30_000);
        client.request("GET", scene.path("/x"), "X-Large: " + value);

        assertEquals(value, peer.request().env("HTTP_X_LARGE"));
        peer.text("large");
        assertEquals("large", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void headAboveTheLimitIsRefused(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/x", "X-Large: " + "v".repeat(40_000));

        int status = client.answer().status();

        assertTrue(status == 431 || status == 400, "status " + status);
        assertEquals(End.OPEN, peer.end(BRIEFLY));
    }
}
