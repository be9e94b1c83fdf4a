package org.lrwp.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.ContextPattern;
import org.lrwp.engine.identity.Identity;
import org.lrwp.engine.identity.LeastVersion;
import org.lrwp.engine.identity.Scope;
import org.lrwp.engine.transport.SocketConfig;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Other users of this host at the Unix domain socket; needs root, who alone can become them. */
@Timeout(120)
class SocketUsersTest {
    private static final String OTHER = "nobody";
    private static final int PATIENCE_SECONDS = 30;

    /** Says a startup string, and prints what comes back, or why it cannot. */
    private static final String DIAL =
            """
            use IO::Socket::UNIX;
            my $proxy = IO::Socket::UNIX->new(Peer => $ARGV[0]) or print("failed: $!") && exit;
            syswrite($proxy, $ARGV[1] . "\\xff\\xff");
            sysread($proxy, my $reply, 200);
            print $reply;
            """;

    @TempDir private Path folder;
    private Path path;
    private ProxyEngine engine;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeOthers();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        path = folder.resolve("lrwp.sock");
        engine = ProxyEngine.start(ProxyEngineTest.config(0), record -> {});
        var proof = new Identity.Proof.Credentials(Map.of(), List.of(), Set.of(OTHER));
        var scope = new Scope(List.of(ContextPattern.parse("/web")), Set.of());
        var web = new Identity("web", proof, scope, List.of(), 0, 0, 100, null);
        engine.allow(
                new AccessPolicy(
                        true,
                        LeastVersion.LRWP_1_0,
                        Set.of(),
                        Map.of(),
                        null,
                        List.of(),
                        Map.of("web", web)));
    }

    private static void assumeOthers() throws InterruptedException {
        try {
            Assumptions.assumeTrue(
                    run(List.of("setpriv", "--reuid=" + OTHER, "--clear-groups", "perl", "-v"))
                            .contains("perl"),
                    "only root, with setpriv and perl, can be another user");
        } catch (IOException e) {
            Assumptions.abort("setpriv is not installed: " + e.getMessage());
        }
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String told =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), told);
        return told;
    }

    private String dialAs(String user, String context) throws IOException, InterruptedException {
        return run(
                List.of(
                        "setpriv",
                        "--reuid=" + user,
                        "--regid=nogroup",
                        "--clear-groups",
                        "perl",
                        "-e",
                        DIAL,
                        path.toString(),
                        context));
    }

    private void open(String mode) throws IOException {
        open(mode, "");
    }

    private void open(String mode, String group) throws IOException {
        engine.openSocket(new SocketConfig(path, PosixFilePermissions.fromString(mode), group));
    }

    @Test
    void theKernelSaysWhoHasConnectedWhateverThePeerSays() throws Exception {
        open("rw-rw-rw-");
        assertEquals("OK", dialAs(OTHER, "web"));
        assertEquals("ERROR: Application not permitted", dialAs(OTHER, "osp"));
        String refusal = "ERROR: Connection requires LRWP2 authentication";
        assertEquals(refusal, dialAs("root", "web"));
        assertEquals(refusal, dialAs("daemon", "web"));
    }

    @Test
    void aModeWithoutOthersKeepsThemOut() throws Exception {
        open("rw-rw----");
        assertEquals("failed: Permission denied", dialAs(OTHER, "web"));
    }

    @Test
    void whoIsInTheGroupOfTheSocketMayConnect() throws Exception {
        open("rw-rw----", "nogroup");
        assertEquals("OK", dialAs(OTHER, "web"));
    }

    @Test
    void aSocketOfAnotherUserIsLeftAlone() throws IOException {
        try (var others = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            others.bind(UnixDomainSocketAddress.of(path));
        }
        var daemon =
                path.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName("daemon");
        Files.setOwner(path, daemon);
        var refusal = assertThrows(IOException.class, () -> open("rw-------"));
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("belongs to daemon"),
                refusal::toString);
        assertEquals(daemon, Files.getOwner(path));
    }
}
