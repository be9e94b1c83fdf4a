package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.tls.PeerTls;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.DownloadPeerProcess;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** From nothing to a peer that only its key or certificate lets in, and out again. */
@Timeout(120)
class IdentityIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** What a person calls quick for a command, a server that starts and a peer. */
    private static final Duration QUICK = Duration.ofSeconds(60);

    @TempDir Path folder;

    @Test
    void anIdentityGetsItsContextAndNobodyElseUntilItsLinesGo() throws Exception {
        createIdentity("billing", "/osp,/echo");
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
                String told = Bytes.text(stranger.wire().readAll());
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

    private static String keyId() {
        return LocalDate.now(ZoneOffset.UTC).toString();
    }

    private Path key() {
        return folder.resolve("billing." + keyId() + ".key");
    }

    @Test
    void aProgramOfThisProjectProvesItsKeyToo() throws Exception {
        createIdentity("files", "/files");
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.writeString(root.resolve("a.txt"), "kept for you");
        Path file =
                Configuration.write(
                        folder.resolve("b.properties"),
                        "agent.authentication = required\nagent.peers-file = %s\n"
                                .formatted(folder.resolve("peers")));
        String keyId = LocalDate.now(ZoneOffset.UTC).toString();
        String[] proof = {
            "--identity",
            "files",
            "--key-id",
            keyId,
            "--key-file",
            folder.resolve("files." + keyId + ".key").toString()
        };
        try (ProxyProcess proxy = ProxyProcess.start("identity-program", file);
                RawHttp client = RawHttp.to(proxy.httpPort());
                ProcessPeer peer =
                        DownloadPeerProcess.start(proxy.lrwpPort(), "/files", root, proof)) {
            Wait.require("it is let in", SOON, () -> proxy.status().peers() > 0);
            assertTrue(peer.isRunning());
            assertEquals("kept for you", client.get("/files/a.txt").text());
            var shown = proxy.status().page().getJsonArray("peers").getJsonObject(0);
            assertEquals("key " + keyId, shown.getString("proof"));
        }
    }

    @Test
    void aPeerInsideTlsIsThereAfterTwoCommands() throws Exception {
        int tlsPort = FreePorts.one();
        Path file =
                Configuration.write(
                        folder.resolve("lrwp.properties"),
                        "front = edge\nagent.tls.port = %d\n".formatted(tlsPort));
        long begun = System.nanoTime();
        String told = identity("billing", "/osp", "--config", file.toString(), "--certificate");
        assertTrue(told.contains("PeerTls.trusting(Path.of(\"ca.pem\"))"), told);
        PeerTls tls =
                PeerTls.trusting(folder.resolve("ca.pem"))
                        .certificate(folder.resolve("billing.pem"), folder.resolve("billing.key"));
        try (ProxyProcess proxy = ProxyProcess.start("identity-tls", file);
                RawHttp client = RawHttp.to(proxy.httpPort());
                LrwpPeer billing =
                        LrwpPeer.builder()
                                .proxy("localhost:" + tlsPort)
                                .context("/osp")
                                .tls(tls)
                                .handler(
                                        request ->
                                                PeerResponse.of("text/plain", Bytes.of("billed")))
                                .connect()) {
            assertTrue(billing.awaitRegistered(SOON));
            assertEquals("billed", client.get("/osp/x").text());
            Duration taken = Duration.ofNanos(System.nanoTime() - begun);
            assertTrue(taken.compareTo(QUICK) < 0, taken::toString);

            var shown = proxy.status().page().getJsonArray("peers").getJsonObject(0);
            assertEquals("billing", shown.getString("identity"));
            assertTrue(
                    shown.getString("proof").matches("certificate sha256:[0-9a-f]{64}"),
                    shown::toString);
        }
    }

    private PeerBuilder peer(ProxyProcess proxy) {
        return LrwpPeer.builder()
                .proxy("127.0.0.1:" + proxy.lrwpPort())
                .context("/osp")
                .identity("billing", keyId(), key())
                .handler(request -> PeerResponse.of("text/plain", Bytes.of("billed")));
    }

    private void createIdentity(String name, String contexts) throws Exception {
        String told = identity(name, contexts, "--peers-file", folder.resolve("peers").toString());
        assertTrue(told.contains("agent.peers-file = "), told);
    }

    private String identity(String name, String contexts, String... more) throws Exception {
        Path server = Project.root().resolve("proxy-server/target/proxy-server.jar");
        List<String> command = Project.java("-jar", server.toString(), "identity", "create", name);
        command.addAll(List.of("--contexts", contexts));
        command.addAll(List.of(more));
        return Tools.run(folder, SOON, "", command);
    }
}
