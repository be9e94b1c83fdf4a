package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The peers of each language prove a secret, or are turned away. */
@SystemTest
@ServerConfig("admission")
class PeerLanguagesSecretIT {
    private static final String APP = "secureapp";

    /** Which nobody ever serves: a context stays known for a while when its last peer has left. */
    private static final String LOCKED_APP = "lockedapp";

    private static ExamplePeer start(
            PeerLanguage language, Scene scene, String app, String... options) throws Exception {
        int port = scene.proxy().lrwpPort();
        return scene.closing(ExamplePeer.start(language, "echo", port, app, options));
    }

    private static String file(String secret) throws IOException {
        Path folder = Files.createDirectories(Project.target().resolve("peers"));
        return Configuration.write(folder.resolve("secret"), secret + "\n").toString();
    }

    @ParameterizedTest
    @EnumSource
    void peerWithTheSecretServes(PeerLanguage language, Scene scene) throws Exception {
        ExamplePeer peer = start(language, scene, APP, "--secret-file", file("funky161"));
        peer.awaitRegistered("3.0");
        Wait.require(
                "the context is served",
                Duration.ofSeconds(5),
                () -> scene.proxy().status().number("/" + APP, "connections") > 0);

        RawHttp client = scene.client();
        Answers.requireEcho("GET", "/x", "", client.get("/" + APP + "/x"));
    }

    @ParameterizedTest
    @EnumSource
    void peerWithAnotherSecretIsTurnedAway(PeerLanguage language, Scene scene) throws Exception {
        ExamplePeer peer = start(language, scene, LOCKED_APP, "--secret-file", file("funky162"));

        peer.awaitLine("Incorrect LRWP challenge response");
        assertEquals(404, scene.client().get("/" + LOCKED_APP + "/x").status());
    }

    @ParameterizedTest
    @EnumSource
    void peerOfAContextThatIsNotAllowedIsToldWhy(PeerLanguage language, Scene scene)
            throws Exception {
        ExamplePeer peer = start(language, scene, "other");

        peer.awaitLine("ERROR: Application not permitted");
        assertEquals(404, scene.client().get("/other/x").status());
    }
}
