package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.EventsPeerProcess;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The event module as a program behind the server. */
@SystemTest
@ServerConfig("scale")
class EventsIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int SIGTERM = 143;

    @TempDir Path folder;

    private ProcessPeer start(Scene scene, String... options) throws Exception {
        ProcessPeer peer =
                scene.closing(
                        EventsPeerProcess.start(
                                scene.proxy().lrwpPort(), "/" + scene.app(), options));
        Wait.require(
                "a peer serves",
                SOON,
                () -> scene.proxy().status().number("/" + scene.app(), "connections") > 0);
        // The proxy hears of a peer's capacity after its acceptance; one request may wait for that.
        assertEquals(404, scene.client().get(scene.path("/-/none")).status());
        return peer;
    }

    private static EventChecks checks(Scene scene) {
        return new EventChecks(scene.proxy().httpPort(), "/" + scene.app());
    }

    @Test
    void everybodyGetsEachEventOnceWhateverOthersDo(Scene scene) throws Exception {
        start(scene);

        checks(scene).requireForms();
        checks(scene).requireCrowd(150, 50);
    }

    @Test
    void killedPeerComesBackAndNothingIsLost(Scene scene) throws Exception {
        String file = "--file=" + folder.resolve("events");
        ProcessPeer first = start(scene, file);
        EventChecks checks = checks(scene);
        String seen = checks.publish("a", "0");
        RawHttp waiting = scene.client();
        EventStream stream = checks.stream(waiting, "a", seen);
        List<String> ids = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            ids.add(checks.publish("a", "text " + i));
        }
        stream.readTo("text 20\n\n");

        first.kill();
        scene.awaitPeers(0);
        start(scene, file);
        String next = checks.publish("a", "next");
        HttpAnswer all = scene.client().get(scene.path("/a?since=" + seen));
        HttpAnswer rest = scene.client().get(scene.path("/a?since=" + ids.get(18)));

        assertEquals(21, all.text().lines().count(), all.text());
        assertTrue(!all.text().contains("gap"), all.text());
        assertEquals(
                "[{\"id\":\""
                        + ids.get(19)
                        + "\",\"data\":\"text 20\"},\n"
                        + "{\"id\":\""
                        + next
                        + "\",\"data\":\"next\"}]\n",
                rest.text());
    }

    @Test
    void peerThatLeavesSendsEverybodyAwayInOrder(Scene scene) throws Exception {
        ProcessPeer peer = start(scene);
        EventChecks checks = checks(scene);
        String since = checks.publish("a", "x");
        RawHttp poll = scene.get("/a?since=" + since);
        EventStream stream = checks.stream(scene.client(), "a", since);
        Wait.require(
                "both wait",
                SOON,
                () -> scene.proxy().status().number("/" + scene.app(), "busy") == 2);

        peer.close();

        HttpAnswer sentAway = poll.answer();
        assertEquals(503, sentAway.status());
        assertTrue(sentAway.value("Retry-After").isPresent());
        assertEquals(since, sentAway.value("Last-Event-ID").orElse(""));
        stream.readTo("retry: ");
        stream.requireEnd();
        assertEquals(SIGTERM, peer.exit(SOON));
    }
}
