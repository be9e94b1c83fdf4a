package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.OlderServer;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.testkit.wire.Bytes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The peers of each language meet servers that know LRWP 1.0 only. */
@Timeout(120)
class PeerLanguagesFallbackIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource
    void serverThatRefusesTheVersionIsServedInTheOldOne(PeerLanguage language) throws Exception {
        serve(language, "ERROR: Unknown LRWP version");
    }

    @ParameterizedTest
    @EnumSource
    void serverThatTakesTheHelloForAnOldOneIsServedInTheOldOne(PeerLanguage language)
            throws Exception {
        serve(language, "OK");
    }

    private static void serve(PeerLanguage language, String answerToLater) throws Exception {
        byte[] body = Bytes.random(100_000, 1);
        try (OlderServer server = new OlderServer(answerToLater, "/a b", body);
                ExamplePeer peer = ExamplePeer.start(language, "echo", server.port(), "old")) {
            peer.awaitRegistered("1.0");

            String answer = server.answer(SOON);
            assertTrue(answer.contains("X-Peer: " + language.label()), answer);
            String end = "\r\n\r\nPOST /a b\n" + Bytes.text(body);
            assertTrue(answer.endsWith(end), "not the echo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void peerWithASecretDoesNotGoBelow(PeerLanguage language) throws Exception {
        Path folder = Files.createDirectories(Project.target().resolve("peers"));
        Path secret = Configuration.write(folder.resolve("kept-secret"), "funky161\n");
        String[] option = {"--secret-file", secret.toString()};
        try (OlderServer server = new OlderServer("ERROR: Unknown LRWP version", "/", new byte[0]);
                ExamplePeer peer =
                        ExamplePeer.start(language, "echo", server.port(), "old", option)) {
            peer.awaitLines(2, "Unknown LRWP version");

            assertTrue(peer.time("registered").isEmpty(), peer.toString());
        }
    }
}
