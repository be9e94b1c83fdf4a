package org.lrwp.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.ContextPattern;
import org.lrwp.engine.identity.Identity;
import org.lrwp.engine.identity.LeastVersion;
import org.lrwp.engine.identity.Scope;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Peers that dial in by a Unix domain socket: who they are, and whose the file is. */
@Timeout(120)
class SocketPeersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rw-------");
    private static final String HELLO = "osp\u00ff\u00ff";

    @TempDir private Path folder;
    private Path path;
    private ProxyEngine engine;
    private final List<AuditEvent> audit = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws IOException {
        path = folder.resolve("lrwp.sock");
        engine = engine();
    }

    private ProxyEngine engine() throws IOException {
        return ProxyEngine.start(
                ProxyEngineTest.config(0), record -> {}, audit::add, new SelectorTransport(1));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private String me() throws IOException {
        return Files.getOwner(folder).getName();
    }

    private SocketConfig at(Set<PosixFilePermission> mode) {
        return new SocketConfig(path, mode, "");
    }

    private static AccessPolicy only(String user, String... contexts) {
        var proof = new Identity.Proof.Credentials(Map.of(), List.of(), Set.of(user));
        var scope = new Scope(Stream.of(contexts).map(ContextPattern::parse).toList(), Set.of());
        var billing = new Identity("billing", proof, scope, List.of(), 0, 0, 100, null);
        return new AccessPolicy(
                true,
                LeastVersion.LRWP_1_0,
                Set.of(),
                Map.of(),
                null,
                List.of(),
                Map.of("billing", billing));
    }

    private LrwpPeer peer(ProtocolVersion version) {
        return LrwpPeer.builder()
                .proxy("unix:" + path)
                .context("/osp")
                .versions(version, version)
                .handler(request -> PeerResponse.of("text/plain", request.body().readAllBytes()))
                .connect();
    }

    private String ask(String body) {
        return AwaitingClient.asking(engine, body).awaited();
    }

    /** What the proxy says to a startup string, to its end or so many bytes. */
    private String reply(String hello, int most) throws IOException {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            socket.write(ByteBuffer.wrap(hello.getBytes(StandardCharsets.ISO_8859_1)));
            byte[] reply = Channels.newInputStream(socket).readNBytes(most);
            return new String(reply, StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void aPeerOfThisHostIsTheIdentityOfItsUser(ProtocolVersion version) throws Exception {
        engine.allow(only(me(), "/osp"));
        engine.openSocket(at(OWNER));
        try (LrwpPeer peer = peer(version)) {
            assertTrue(peer.awaitRegistered(PATIENCE));
            assertEquals("200 hello", ask("hello"));
            PeerStatus status = engine.status().peers().getFirst();
            assertTrue(status.name().startsWith("unix:" + me() + "/"), status::name);
            assertEquals("billing", status.identity());
            assertEquals("user " + me(), status.proof());
            assertEquals(path.toString(), engine.status().agentSocket());
            assertEquals("billing", audit.getFirst().actor().identity());
            assertEquals(status.name(), audit.getFirst().actor().address());
        }
    }

    @Test
    void aUserRegistersWhatItsIdentityMayAndNothingElse() throws IOException {
        engine.allow(only(me(), "/tep"));
        engine.openSocket(at(OWNER));
        assertEquals("ERROR: Application not permitted", reply(HELLO, 200));
        assertTrue(audit.getFirst().actor().address().startsWith("unix:" + me() + "/"));
    }

    @Test
    void anotherUserIsNobody() throws IOException {
        engine.allow(only("somebody-else", "/osp"));
        engine.openSocket(at(OWNER));
        assertEquals("ERROR: Connection requires LRWP2 authentication", reply(HELLO, 200));
        assertTrue(engine.status().peers().isEmpty());
    }

    @Test
    void aUserThatIsTakenAwayIsDrained() throws Exception {
        engine.allow(only(me(), "/osp"));
        engine.openSocket(at(OWNER));
        try (LrwpPeer peer = peer(ProtocolVersion.LRWP_3)) {
            assertTrue(peer.awaitRegistered(PATIENCE));
            engine.allow(only("somebody-else", "/osp"));
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!engine.status().peers().isEmpty() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertTrue(engine.status().peers().isEmpty());
        }
    }

    @Test
    void withoutIdentitiesItsPeersAreServedAsThoseOfLoopbackAre() throws IOException {
        engine.openSocket(at(OWNER));
        assertEquals("OK", reply(HELLO, 2));
    }

    @Test
    void theFileHasTheModeAndIsGoneAfterwards() throws IOException {
        engine.openSocket(at(PosixFilePermissions.fromString("rw-rw----")));
        assertEquals(
                "rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        try (Stream<Path> all = Files.list(folder)) {
            assertEquals(List.of(path), all.toList());
        }
        engine.close();
        assertFalse(Files.exists(path));
    }

    @Test
    void aGroupThatIsNotThereIsNamedAndLeavesNothing() throws IOException {
        var config = new SocketConfig(path, OWNER, "no-such-group");
        var refusal = assertThrows(IOException.class, () -> engine.openSocket(config));
        assertEquals("there is no group no-such-group", refusal.getMessage());
        try (Stream<Path> all = Files.list(folder)) {
            assertEquals(List.of(), all.toList());
        }
    }

    @Test
    void aDrainRemovesTheFileSoThatNobodyDialsIn() throws IOException {
        engine.openSocket(at(OWNER));
        engine.drain(Duration.ZERO);
        assertFalse(Files.exists(path));
    }

    @Test
    void whatADeadProxyHasLeftIsReplaced() throws IOException {
        var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        dead.bind(UnixDomainSocketAddress.of(path));
        dead.close();
        var address = UnixDomainSocketAddress.of(path);
        assertThrows(ConnectException.class, () -> SocketChannel.open(address).close());
        engine.openSocket(at(OWNER));
        assertEquals("OK", reply(HELLO, 2));
    }

    @Test
    void theSocketOfAProxyThatRunsIsNotTaken() throws IOException {
        engine.openSocket(at(OWNER));
        try (ProxyEngine second = engine()) {
            var refusal = assertThrows(IOException.class, () -> second.openSocket(at(OWNER)));
            assertTrue(String.valueOf(refusal.getMessage()).contains("in use"), refusal::toString);
        }
        assertEquals("OK", reply(HELLO, 2));
    }

    @Test
    void theSocketOfTheNextProxyIsNotRemoved() throws IOException {
        engine.openSocket(at(OWNER));
        Files.delete(path);
        try (ProxyEngine second = engine()) {
            second.openSocket(at(OWNER));
            engine.close();
            assertEquals("OK", reply(HELLO, 2));
        }
        assertFalse(Files.exists(path));
    }

    private void assertLeftAlone(Path thing, String why) {
        var refusal = assertThrows(IOException.class, () -> engine.openSocket(at(OWNER)));
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains(why) && text.contains(path.toString()), text);
        assertTrue(Files.exists(thing, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void whatIsNoSocketIsLeftAlone() throws IOException {
        Files.writeString(path, "precious");
        assertLeftAlone(path, "is no socket");
        assertEquals("precious", Files.readString(path));
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path other = folder.resolve("other");
        Files.writeString(other, "precious");
        Files.createSymbolicLink(path, other);
        assertLeftAlone(other, "is no socket");
        assertTrue(Files.isSymbolicLink(path));
    }

    @Test
    void aFolderInWhichEverybodyMayReplaceItIsRefused() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        var refusal = assertThrows(IOException.class, () -> engine.openSocket(at(OWNER)));
        assertTrue(String.valueOf(refusal.getMessage()).contains("chmod o-w"), refusal::toString);
    }

    @Test
    void aPathThatIsTooLongIsNamed() throws IOException {
        Path deep = Files.createDirectories(folder.resolve("x".repeat(100)));
        path = deep.resolve("lrwp.sock");
        var refusal = assertThrows(IOException.class, () -> engine.openSocket(at(OWNER)));
        assertTrue(String.valueOf(refusal.getMessage()).contains("too long"), refusal::toString);
        try (Stream<Path> all = Files.list(deep)) {
            assertEquals(List.of(), all.toList());
        }
    }
}
