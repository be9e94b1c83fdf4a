package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/** Peers of the same host by a Unix domain socket, identities by the owner of their process. */
@Timeout(120)
class SocketIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir Path folder;

    private PeerBuilder peer(Path socket, String context) {
        return LrwpPeer.builder()
                .proxy("unix:" + socket)
                .context(context)
                .handler(request -> PeerResponse.of("text/plain", Bytes.of("billed")));
    }

    @Test
    void aPeerOfTheHostServesWhatItsUserMay() throws Exception {
        String user = Files.getOwner(folder).getName();
        Path socket = folder.resolve("lrwp.sock");
        Path audit = folder.resolve("audit.log");
        Path peers = Files.writeString(folder.resolve("peers"), peersFile(user));
        Files.setPosixFilePermissions(peers, PosixFilePermissions.fromString("rw-------"));
        Path file =
                Configuration.write(
                        folder.resolve("a.properties"),
                        """
                        agent.socket = %s
                        agent.socket-mode = 660
                        agent.authentication = required
                        agent.peers-file = %s
                        audit-log.file = %s
                        """
                                .formatted(socket, peers, audit));
        try (ProxyProcess proxy = ProxyProcess.start("socket", file);
                RawHttp client = RawHttp.to(proxy.httpPort());
                LrwpPeer billing = peer(socket, "/osp").connect();
                LrwpPeer other = peer(socket, "/other").connect()) {
            assertTrue(billing.awaitRegistered(SOON));
            assertEquals("billed", client.get("/osp/x").text());
            assertEquals(404, client.get("/other/x").status());
            assertEquals(0, other.registeredConnections());
            assertEquals(
                    "rw-rw----",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));

            var page = proxy.status().page();
            assertEquals(socket.toString(), page.getString("agentSocket"));
            var shown = page.getJsonArray("peers").getJsonObject(0);
            assertEquals("billing", shown.getString("identity"));
            assertEquals("user " + user, shown.getString("proof"));
            assertTrue(shown.getString("peer").startsWith("unix:" + user + "/"), page::toString);
            Wait.require(
                    "both stand in the audit log",
                    SOON,
                    () -> {
                        String lines = Files.readString(audit);
                        return lines.contains("identity=\"billing\" address=unix:" + user)
                                && lines.contains("verdict=refused identity=\"billing\"");
                    });
        }
        assertFalse(Files.exists(socket));
    }

    private static String peersFile(String user) {
        return """
        peer.billing.user = %s
        peer.billing.contexts = /osp
        """
                .formatted(user);
    }
}
