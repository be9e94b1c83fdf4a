package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A server that is told to stop while it has work. */
@Timeout(120)
class ShutdownIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int SIGTERM = 143;
    private static final int IDLE = 1000;

    @TempDir Path folder;
    private ProxyProcess proxy;

    @BeforeEach
    void startTheServer() throws Exception {
        Path file =
                Configuration.write(folder.resolve("shutdown.properties"), "drain-time = 20s\n");
        proxy = ProxyProcess.start("shutdown", file);
    }

    @AfterEach
    void endTheServer() {
        proxy.close();
    }

    @Test
    void whatIsUnderWayIsAnsweredAndWhatIsNewIsTurnedAway() throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.dial(proxy.lrwpPort()).register("job");
                RawHttp first = RawHttp.to(proxy.httpPort());
                RawHttp second = RawHttp.to(proxy.httpPort());
                RawHttp late = RawHttp.to(proxy.httpPort());
                RawHttp watch = RawHttp.to(proxy.httpPort())) {
            first.request("GET", "/job/first");
            peer.request();
            second.request("GET", "/job/second");
            Wait.require("it waits", SOON, () -> proxy.status().waiting() == 1);

            proxy.askToStop();
            Wait.require("it is not ready", SOON, () -> isNotReady(watch));
            HttpAnswer turnedAway = late.get("/job/late");

            Answers.requireError(503, "draining", turnedAway);
            assertTrue(turnedAway.saysClose(), turnedAway::toString);
            Wait.require("peers cannot dial in any more", SOON, this::isRefused);
            peer.text("first");
            assertEquals("first", first.answer().text());
            assertEquals("/second", peer.request().env("PATH_INFO"));
            peer.text("second");
            assertEquals("second", second.answer().text());
            assertEquals(SIGTERM, proxy.exit(SOON));
        }
    }

    /** On connections that were open before, and on new ones as long as there is a port. */
    @Test
    void nobodyHearsAnythingButDrainingOnTheWayDown() throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.dial(proxy.lrwpPort()).register("job");
                RawHttp first = RawHttp.to(proxy.httpPort());
                RawHttp watch = RawHttp.to(proxy.httpPort())) {
            List<RawHttp> idle = new ArrayList<>();
            for (int i = 0; i < IDLE; i++) {
                RawHttp one = RawHttp.to(proxy.httpPort());
                idle.add(one);
                assertEquals(404, one.get("/nobody").status());
            }
            first.request("GET", "/job/first");
            peer.request();
            proxy.askToStop();
            Wait.require("it is not ready", SOON, () -> isNotReady(watch));
            peer.text("done");
            assertEquals("done", first.answer().text());

            Set<Integer> heard = new TreeSet<>();
            for (RawHttp one : idle) {
                heard.add(statusOrNothing(one));
                heard.add(statusOfANewClient());
                one.close();
            }

            assertEquals(SIGTERM, proxy.exit(SOON));
            heard.remove(0);
            assertEquals(Set.of(503), heard);
        }
    }

    private static int statusOrNothing(RawHttp client) {
        try {
            return client.get("/job/next").status();
        } catch (IOException closed) {
            return 0;
        }
    }

    private int statusOfANewClient() {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            return statusOrNothing(client);
        } catch (IOException refused) {
            return 0;
        }
    }

    private static boolean isNotReady(RawHttp watch) throws IOException {
        return watch.get("/-/health/ready").status() == 503;
    }

    private boolean isRefused() {
        try {
            ScriptedPeer.dial(proxy.lrwpPort()).close();
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
