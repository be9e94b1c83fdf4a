package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Sockets;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ServingPeer;

import java.time.Duration;

/**
 * kill -9 of real LRWP 3 peers, with requests they have begun and requests they have not read. The
 * Java SDK opens as many connections as the proxy likes, and names them as one process.
 */
@SystemTest
@ServerConfig
class Lrwp3KilledIT {
    private static final String APP = "patient";
    private static final Duration SOON = Duration.ofSeconds(10);

    private static ExamplePeer slowPeer(PeerLanguage language, Scene scene) throws Exception {
        int port = scene.proxy().lrwpPort();
        ExamplePeer peer =
                scene.closing(ExamplePeer.start(language, "slow", port, APP, "--concurrency", "8"));
        peer.awaitRegistered("3.0");
        awaitNumber(scene, "slots", 8);
        return peer;
    }

    private static void awaitNumber(Scene scene, String name, int expected) throws Exception {
        Wait.require(
                expected + " " + name,
                SOON,
                () -> scene.proxy().status().number("/" + APP, name) == expected);
    }

    @ParameterizedTest
    @EnumSource
    void ofBegunRequestsOnlyThoseThatMayBeRepeatedGoElsewhere(PeerLanguage language, Scene scene)
            throws Exception {
        ExamplePeer peer = slowPeer(language, scene);
        RawHttp repeated = scene.client();
        RawHttp once = scene.client();
        byte[] body = Bytes.random(40_000, 3);
        repeated.send("PUT", "/" + APP + "/again", body);
        once.post("/" + APP + "/once", body);
        peer.awaitLines(2, "began");

        peer.close();
        Answers.requireError(502, "peer-gone", once.answer());
        ServingPeer next = scene.closing(ServingPeer.echo(scene.proxy().lrwpPort(), APP));

        Answers.requireEcho("PUT", "/again", Bytes.text(body), repeated.answer());
        assertEquals(1, next.seen().size());
        scene.requireNext(repeated);
        scene.requireNext(once);
    }

    /** What a killed process has not read makes its end a reset, which tells nothing. */
    @ParameterizedTest
    @EnumSource
    void ofUnreadRequestsOnlyThoseThatMayBeRepeatedGoElsewhere(PeerLanguage language, Scene scene)
            throws Exception {
        ExamplePeer peer = slowPeer(language, scene);
        peer.freeze();
        RawHttp repeated = scene.client();
        RawHttp once = scene.client();
        String large = "X-Large: " + "x".repeat(2_000);
        repeated.send("DELETE", "/" + APP + "/again", new byte[0], large);
        once.post("/" + APP + "/once", Bytes.of("body"), large);
        // Both are with the peer's system, and not only on their way to it.
        Wait.require(
                "two unread requests",
                SOON,
                () -> Sockets.unread(scene.proxy().lrwpPort()) > 4_000);

        peer.close();
        Answers.requireError(502, "peer-gone", once.answer());
        scene.closing(ServingPeer.echo(scene.proxy().lrwpPort(), APP));

        Answers.requireEcho("DELETE", "/again", "", repeated.answer());
        scene.requireNext(repeated);
    }
}
