package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.PhasePeer;
import org.lrwp.systemtests.harness.PhasePeer.Phase;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;

/** kill -9 of a peer's process in every phase of its life. */
@SystemTest
@ServerConfig
class KilledPeerIT {
    private static ProcessPeer start(Scene scene, String app, Phase phase) throws IOException {
        return scene.closing(
                ProcessPeer.start(
                        Project.java(
                                "-Xshare:auto",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                PhasePeer.class.getName(),
                                "" + scene.proxy().lrwpPort(),
                                app,
                                phase.name())));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECTED", "HALF_HELLO", "IDLE"})
    void peerWithoutARequestIsMissedByNobody(Phase phase, Scene scene) throws Exception {
        ProcessPeer peer = start(scene, scene.app(), phase).awaitLine("reached");
        scene.echo();

        peer.kill();

        RawHttp client = scene.client();
        for (int i = 0; i < 3; i++) {
            client.post(scene.path("/" + i), Bytes.of("body"));
            Answers.requireEcho("POST", "/" + i, "body", client.answer());
        }
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource(names = {"HALF_REQUEST", "REQUEST", "HALF_LENGTH", "HALF_HEAD"})
    void requestThatMayBeRepeatedIsServedByAnother(Phase phase, Scene scene) throws Exception {
        String app = "patient";
        ProcessPeer peer = start(scene, app, phase).awaitLine("registered");
        byte[] body = Bytes.random(3_000_000, 9);
        RawHttp client = scene.client();
        client.send("PUT", "/" + app + "/again", body);
        peer.awaitLine("reached");

        peer.kill();
        scene.closing(ServingPeer.echo(scene.proxy().lrwpPort(), app));

        Answers.requireEcho("PUT", "/again", Bytes.text(body), client.answer());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource(names = {"HALF_REQUEST", "REQUEST", "HALF_LENGTH", "HALF_HEAD"})
    void requestThatMayNotBeRepeatedFails(Phase phase, Scene scene) throws Exception {
        ProcessPeer peer = start(scene, scene.app(), phase).awaitLine("registered");
        RawHttp client = scene.post("/once", Bytes.random(200_000, 9));
        peer.awaitLine("reached");

        peer.kill();

        Answers.requireError(502, "peer-gone", client.answer());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource(names = "HALF_BODY")
    void answerThatHasBegunIsCut(Phase phase, Scene scene) throws Exception {
        ProcessPeer peer = start(scene, scene.app(), phase).awaitLine("registered");
        RawHttp client = scene.get("/cut");
        peer.awaitLine("reached");
        assertEquals("HTTP/1.1 200 OK", client.line());

        peer.kill();

        assertThrows(IOException.class, () -> client.wire().read(100_000));
        scene.requireNext(scene.client());
    }
}
