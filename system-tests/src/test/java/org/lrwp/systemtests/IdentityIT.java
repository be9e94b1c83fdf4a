package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Octets;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

/** From nothing to a peer that only its key lets in, and out again. */
@Timeout(120)
class IdentityIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir Path folder;

    @Test
    void anIdentityGetsItsContextAndNobodyElseUntilItsLinesGo() throws Exception {
        createIdentity("billing", "/osp");
        Path peers = folder.resolve("peers");
        Path audit = folder.resolve("audit.log");
        Path file =
                Configuration.write(
                        folder.resolve("a.properties"),
                        "front = edge\nagent.peers-file = %s\naudit-log.file = %s\n"
                                .formatted(peers, audit));
        try (ProxyProcess proxy = ProxyProcess.start("identity", file);
                RawHttp client = RawHttp.to(proxy.httpPort());
                LrwpPeer billing = peer(proxy).connect()) {
            assertTrue(billing.awaitRegistered(SOON));
            assertEquals("billed", client.get("/osp/x").text());

            try (ScriptedPeer stranger = ScriptedPeer.dial(proxy.lrwpPort())) {
                stranger.wire().send("osp/free\u00ff\u00ff");
                String told = Octets.text(stranger.wire().readAll());
                assertTrue(told.contains("Application not permitted"), told);
            }
            Wait.require(
                    "both stand in the audit log",
                    SOON,
                    () -> {
                        String lines = Files.readString(audit);
                        return lines.contains("registered")
                                && lines.contains("billing")
                                && lines.contains("refused");
                    });

            Files.writeString(peers, "# nobody any more\n");
            Wait.require("its connections are drained", SOON, () -> proxy.status().peers() == 0);
        }
    }

    private PeerBuilder peer(ProxyProcess proxy) {
        String keyId = LocalDate.now(ZoneOffset.UTC).toString();
        return LrwpPeer.builder()
                .proxy("127.0.0.1:" + proxy.lrwpPort())
                .context("/osp")
                .identity("billing", keyId, folder.resolve("billing." + keyId + ".key"))
                .handler(request -> PeerResponse.of("text/plain", Octets.of("billed")));
    }

    private void createIdentity(String name, String contexts) throws Exception {
        List<String> command =
                Stream.of(
                                Project.java(),
                                "-jar",
                                Project.root()
                                        .resolve("proxy-server/target/proxy-server.jar")
                                        .toString(),
                                "identity",
                                "create",
                                name,
                                "--contexts",
                                contexts,
                                "--peers-file",
                                folder.resolve("peers").toString())
                        .toList();
        String told = Tools.run(folder, SOON, "", command);
        assertTrue(told.contains("agent.peers-file = "), told);
    }
}
