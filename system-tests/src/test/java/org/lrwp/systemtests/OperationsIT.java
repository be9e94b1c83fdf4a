package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.JsonObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.StatusPage;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.time.Duration;

/** Status, health and the access log. */
@SystemTest
@ServerConfig
class OperationsIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void statusTellsWhatIsGoingOn(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp first = scene.get("/first");
        peer.request();
        RawHttp second = scene.get("/second");
        scene.awaitWaiting(1);

        StatusPage page = scene.proxy().status();
        JsonObject context = page.context("/" + scene.app()).orElseThrow();

        assertEquals(1, context.getInt("connections"));
        assertEquals(1, context.getInt("busy"));
        assertEquals(0, context.getInt("free"));
        assertEquals(2, page.inFlight());
        assertTrue(page.page().getJsonArray("exchanges").getJsonObject(0).containsKey("ageMillis"));
        peer.text("first");
        peer.request();
        peer.text("second");
        assertEquals("first", first.answer().text());
        assertEquals("second", second.answer().text());
        Wait.require(
                "both are counted",
                SOON,
                () -> scene.proxy().status().outcomes("/" + scene.app(), "answered") == 2);
    }

    @Test
    void statusAndHealthAnswerWhileAllPeersAreBusyAndTheQueueIsFull(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        scene.get("/0");
        peer.request();
        for (int i = 1; i <= 5; i++) {
            scene.client().request("GET", scene.path("/" + i));
            scene.awaitWaiting(i);
        }
        RawHttp client = scene.client();

        long begin = System.nanoTime();
        assertEquals(200, client.get("/-/status").status());
        assertEquals(200, client.get("/-/health/live").status());
        assertEquals(200, client.get("/-/health/ready").status());
        assertTrue(System.nanoTime() - begin < SOON.toNanos());
        peer.text("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/-/status", "/-/health/live", "/-/health/ready", "/-/nothing"})
    void ownPagesAreForLocalEyesOnly(String target, Scene scene) throws Exception {
        int port = scene.proxy().httpPort();
        RawHttp forwarded = scene.client();
        assertEquals(403, forwarded.get(target, "X-Forwarded-For: 192.0.2.1").status());
        RawHttp other = scene.client();
        other.send("GET " + target + " HTTP/1.1\r\nHost: evil.test:" + port + "\r\n\r\n");
        assertEquals(403, other.answer().status());
    }

    @Test
    void errorsAreJsonForThoseWhoAskForIt(Scene scene) throws Exception {
        RawHttp client = scene.client();

        HttpAnswer answer = client.get("/nothing", "Accept: application/json");

        assertEquals(404, answer.status());
        assertTrue(answer.value("Content-Type").orElse("").startsWith("application/json"));
        assertTrue(answer.text().contains("\"reason\":\"not-found\""), answer.text());
        scene.requireNext(client);
    }

    @Test
    void everyExchangeWritesALineWithTheIdThatThePeerGot(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/logged");
        String id = peer.request().env("HTTP_X_REQUEST_ID");
        peer.text("logged");
        assertEquals("logged", client.answer().text());

        Wait.require("a line", SOON, () -> scene.proxy().output().contains("id=" + id + " "));
        String line =
                scene.proxy()
                        .output()
                        .lines()
                        .filter(l -> l.contains("id=" + id))
                        .findFirst()
                        .orElseThrow();

        assertTrue(line.matches("\\d{4}-\\S+ INFO +exchange id=.*"), line);
        assertTrue(line.contains("status=200"), line);
        assertTrue(line.contains("context=\"/" + scene.app() + "\""), line);
        assertTrue(line.contains("reason=answered"), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%00b", "/a%2", "/x%2Fy?q=%1f"})
    void targetThatCannotBeDecodedIsLoggedAsItWasSent(String target, Scene scene) throws Exception {
        String sent = "/" + scene.app() + target;
        scene.client().get("/index.html");
        RawHttp client = scene.client();

        assertEquals(400, client.get(sent).status());

        Wait.require(
                "a line",
                SOON,
                () -> scene.proxy().output().contains("request=\"GET " + sent + "\""));
        assertFalse(scene.proxy().output().contains("bad-target"));
    }

    @Test
    void namesFromPeersAreEscaped(Scene scene) throws Exception {
        String app = "%s%n<script>\u001b[31m\n" + scene.app();
        scene.peer(app);

        String page = scene.proxy().status().toString();

        assertFalse(page.contains("\u001b"), page);
        assertTrue(page.contains(scene.app()), page);
        assertFalse(scene.proxy().output().contains("\u001b"));
    }
}
