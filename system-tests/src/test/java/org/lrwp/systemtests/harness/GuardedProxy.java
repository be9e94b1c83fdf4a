package org.lrwp.systemtests.harness;

import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.tls.PeerTls;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.testkit.wire.TestAuthority.Issued;
import org.lrwp.testkit.wire.Wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SSLSocket;

/** A server as it would stand in a network: peers need an identity, by a key or inside TLS. */
public final class GuardedProxy implements AutoCloseable {
    /** Who proves a key, and what it serves. */
    public static final String KEY_HOLDER = "holder";

    private static final String KEY_ID = "k1";
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Path folder;
    private final TestAuthority authority;
    private final Path revoked;
    private final int tlsPort;
    private final ProxyProcess process;

    /**
     * Starts one.
     *
     * @param folder for its files
     * @param names of the identities that show a certificate; the name is their context too
     */
    public GuardedProxy(Path folder, String... names) throws Exception {
        this.folder = folder;
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        Issued own = authority.issue("proxy");
        revoked = authority.revoked();
        tlsPort = FreePorts.one();
        Configuration.write(key(), "5a".repeat(32) + "\n");
        StringBuilder peers = new StringBuilder();
        peers.append(
                "peer.%s.key.%s = %s\npeer.%1$s.contexts = /%1$s\n"
                        .formatted(KEY_HOLDER, KEY_ID, key()));
        for (String name : names) {
            peers.append(
                    "peer.%s.certificate = CN=%1$s\npeer.%1$s.contexts = /%1$s/**\n"
                            .formatted(name));
        }
        Path file = Configuration.write(folder.resolve("peers"), peers.toString());
        String settings =
                """
                front = edge
                agent.authentication = required
                agent.peers-file = %s
                agent.tls.certificate = %s
                agent.tls.key = %s
                agent.tls.trust = %s
                agent.tls.revoked = %s
                agent.tls.port = %d
                agent.tls.reload-time = 200ms
                """
                        .formatted(
                                file,
                                own.certificate(),
                                own.key(),
                                authority.certificate(),
                                revoked,
                                tlsPort);
        process =
                ProxyProcess.start(
                        "guarded", Configuration.write(folder.resolve("guarded"), settings));
    }

    private Path key() {
        return folder.resolve("holder.key");
    }

    /** The server. */
    public ProxyProcess process() {
        return process;
    }

    /** The port for peers inside TLS. */
    public int tlsPort() {
        return tlsPort;
    }

    /** Who issues the certificates that it trusts. */
    public TestAuthority authority() {
        return authority;
    }

    /** The folder of its files. */
    public Path folder() {
        return folder;
    }

    /** Revokes a certificate, and writes the list that the server looks at. */
    public void revoke(Issued issued) throws IOException {
        authority.revoke(issued);
        authority.revoked();
    }

    /** What a peer needs that trusts this server and shows a certificate. */
    public PeerTls tls(Issued own) {
        return PeerTls.trusting(authority.certificate()).certificate(own.certificate(), own.key());
    }

    /** A registered peer with a certificate; it answers every request with its name. */
    public LrwpPeer peer(String name, Issued own) throws Exception {
        return registered(answering(name).proxy("localhost:" + tlsPort).tls(tls(own)));
    }

    /** A registered peer that has proved its key outside TLS. */
    public LrwpPeer keyHolder() throws Exception {
        return registered(
                answering(KEY_HOLDER)
                        .proxy("127.0.0.1:" + process.lrwpPort())
                        .identity(KEY_HOLDER, KEY_ID, key()));
    }

    private static PeerBuilder answering(String name) {
        return LrwpPeer.builder()
                .context("/" + name)
                .handler(request -> PeerResponse.of("text/plain", Bytes.of(name)));
    }

    private static LrwpPeer registered(PeerBuilder builder) throws Exception {
        LrwpPeer peer = builder.connect();
        if (!peer.awaitRegistered(SOON)) {
            peer.close();
            throw new AssertionError("who is allowed to does not come in");
        }
        return peer;
    }

    /** The beginning of a startup string by which somebody claims to be the holder of the key. */
    public static String claim() {
        String ff = ScriptedPeer.FF;
        List<String> parts = List.of("3.1", KEY_HOLDER, "", KEY_HOLDER, KEY_ID, "0".repeat(64));
        return ff + String.join(ff, parts) + ff;
    }

    /** A connection whose TLS and TCP can be ended apart. */
    public Tunnel tunnel(Issued own, ProtocolVersion version) throws IOException {
        Socket tcp = new Socket(InetAddress.getLoopbackAddress(), tlsPort);
        try {
            tcp.setTcpNoDelay(true);
            return new Tunnel(tcp, tls(own).open(tcp, "localhost", version));
        } catch (IOException e) {
            tcp.close();
            throw e;
        }
    }

    /**
     * A connection inside TLS.
     *
     * @param tcp the outer one
     * @param inside the inner one
     */
    public record Tunnel(Socket tcp, SSLSocket inside) implements AutoCloseable {
        /** A peer of LRWP 3 in it. */
        public FramePeer frames() throws IOException {
            return FramePeer.over(Wire.over(inside));
        }

        /** A peer of LRWP 1 in it. */
        public ScriptedPeer scripted() throws IOException {
            return ScriptedPeer.over(Wire.over(inside));
        }

        /** Ends it without close_notify, as one that cuts the connection would. */
        public void cut() throws IOException {
            tcp.close();
        }

        @Override
        public void close() throws IOException {
            tcp.close();
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
