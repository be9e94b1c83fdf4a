package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.JsonObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.MetricsText;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.StatusPage;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Status, health and the access log. */
@SystemTest
@ServerConfig
class OperationsIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    /** Names of metrics; Grafana's own variables and the scrape's {@code up} are none. */
    private static final Pattern OF_MODULES =
            Pattern.compile("lrwp_(?:download|cache|events|acme|osp)_");

    private static final Pattern METRIC = Pattern.compile("\\b(?:lrwp|jvm|process)_[a-z_]+\\b");

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

    @Test
    void metricsCountEachRequestAndHaveAllThatBoardAndAlertsAskFor(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/counted");
        peer.request();
        MetricsText during = MetricsText.of(scene.proxy());
        String context = "context=\"/" + scene.app() + "\"";
        assertEquals(1, during.sum("lrwp_in_flight", context));
        assertEquals(1, during.sum("lrwp_slots", context, "state=\"busy\""));
        peer.text("counted");
        assertEquals("counted", client.answer().text());
        Wait.require(
                "it is counted",
                SOON,
                () ->
                        MetricsText.of(scene.proxy())
                                        .sum(
                                                "lrwp_requests_total",
                                                context,
                                                "outcome=\"answered\"",
                                                "status=\"2xx\"")
                                == 1);

        MetricsText all = MetricsText.of(scene.proxy());
        assertEquals(1, all.sum("lrwp_request_duration_seconds_count", context));
        assertEquals(7, all.sum("lrwp_sent_bytes_total", context));
        for (String file : List.of("alerts.yml", "grafana.json")) {
            String text = Files.readString(Path.of("..", "monitoring", file));
            Matcher names = METRIC.matcher(text);
            while (names.find()) {
                // The tests of the modules look for their own.
                assertTrue(
                        OF_MODULES.matcher(names.group()).lookingAt()
                                || all.names().contains(names.group()),
                        file + " asks for " + names.group());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/-/status",
                "/-/metrics",
                "/-/health/live",
                "/-/health/ready",
                "/-/nothing"
            })
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
