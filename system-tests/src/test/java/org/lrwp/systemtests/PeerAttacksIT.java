package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.tls.PeerTls;
import org.lrwp.systemtests.harness.Bystander;
import org.lrwp.systemtests.harness.GuardedProxy;
import org.lrwp.systemtests.harness.GuardedProxy.Tunnel;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.StreamedRequest;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.testkit.wire.TestAuthority.Issued;
import org.lrwp.testkit.wire.TrustAll;
import org.lrwp.testkit.wire.Wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * Attacks on the ports of peers, against a server that lets in by key and certificate only. What is
 * allowed goes on meanwhile: a client asks a peer inside TLS all the time.
 */
@Timeout(120)
class PeerAttacksIT {
    private static final int SILENT = 10_000;

    /** Descriptors that are left to everything else. */
    private static final int SPARE = 1_000;

    private static final int HALF_HANDSHAKES = 1_000;
    private static final int GUESSERS = 4;
    private static final int GUESSES = Integer.getInteger("wrong.proofs", 200);
    private static final int CONTEXTS = 10_000;
    private static final int KEY_UPDATES = 1_000;
    private static final int SINGLE_BYTES = 20_000;
    private static final Duration GUESSING = Duration.ofSeconds(2);
    private static final Duration BRIEFLY = Duration.ofMillis(20);
    private static final Duration USUAL = Duration.ofMillis(500);
    private static final Duration SOON = Duration.ofSeconds(20);

    /** Whoever waits no longer than this has not been kept out; the first pause is a second. */
    private static final Duration AT_ONCE = Duration.ofMillis(900);

    /** On a busy machine with few processors less than this says nothing of the server. */
    private static final Duration UNNOTICED = Duration.ofSeconds(1);

    @TempDir private static Path folder;
    private static GuardedProxy proxy;
    private static Issued shop;
    private static Issued cut;
    private static Issued bulk;
    private static Issued more;
    private static LrwpPeer peer;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Bystander bystander;
    private Bystander.Times before;

    @BeforeAll
    static void start() throws Exception {
        proxy = new GuardedProxy(folder, "shop", "cut", "bulk", "more");
        shop = proxy.authority().issue("shop");
        cut = proxy.authority().issue("cut");
        bulk = proxy.authority().issue("bulk");
        more = proxy.authority().issue("more");
        peer = proxy.peer("shop", shop);
        try (Bystander first = bystander()) {
            // Classes are loaded and compiled.
            first.ask(Duration.ofSeconds(2));
        }
    }

    @AfterAll
    static void end() {
        peer.close();
        proxy.close();
    }

    @BeforeEach
    void ask() throws IOException {
        bystander = bystander();
        before = bystander.ask(USUAL);
    }

    @AfterEach
    void leave() throws Exception {
        bystander.close();
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS));
        assertTrue(proxy.process().isRunning());
    }

    private static Bystander bystander() throws IOException {
        return new Bystander(proxy.process().httpPort(), "/shop/x", "shop");
    }

    /** Requires that clients do not notice an attack; what it found. */
    private <T> T unnoticed(String what, Callable<T> attack) throws Exception {
        Future<T> running = threads.submit(attack);
        Bystander.Times meanwhile = bystander.askWhile(running);
        T found = running.get();
        System.out.println(what + ": " + found + "; before " + before + "; now " + meanwhile);
        meanwhile.requireAtMostTwice(before, UNNOTICED);
        return found;
    }

    /** How long somebody takes to come in by a key. */
    private static Duration comeIn() throws Exception {
        long begin = System.nanoTime();
        proxy.keyHolder().close();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    // ---- Masses.

    @Test
    void tenThousandSilentConnectionsKeepNobodyOut() throws Exception {
        int count = Math.min(SILENT, openFiles() - SPARE);
        if (count < SILENT) {
            System.out.println("open files of this process allow " + count + " connections only");
        }
        List<SocketChannel> silent = new ArrayList<>();
        try {
            unnoticed("silent connections", () -> connect(silent, count));
            assertEquals(count, silent.size());
            Duration key = comeIn();
            long begin = System.nanoTime();
            proxy.peer("shop", shop).close();
            Duration certificate = Duration.ofNanos(System.nanoTime() - begin);
            System.out.println("in by key " + key + ", by certificate " + certificate);
            assertTrue(key.compareTo(SOON) < 0 && certificate.compareTo(SOON) < 0);
            assertTrue(proxy.process().descriptors() < 1_000, "they are kept");
        } finally {
            for (SocketChannel one : silent) {
                one.close();
            }
        }
    }

    private static int connect(List<SocketChannel> silent, int count) throws IOException {
        var loopback = InetAddress.getLoopbackAddress();
        int[] ports = {proxy.process().lrwpPort(), proxy.tlsPort()};
        while (silent.size() < count) {
            int port = ports[silent.size() % ports.length];
            silent.add(SocketChannel.open(new InetSocketAddress(loopback, port)));
        }
        return silent.size();
    }

    /** How many descriptors this process may have. */
    private static int openFiles() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split(" +", -1)[3])
                .mapToInt(most -> most.equals("unlimited") ? Integer.MAX_VALUE : parse(most))
                .findFirst()
                .orElseThrow();
    }

    private static int parse(String number) {
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(number));
    }

    // A million guesses (-Plong) take some 1,000 s on two cores.
    @Test
    @Timeout(1800)
    void wrongProofsCostTimeAndARightOneNeverWaits() throws Exception {
        List<String> addresses = List.of("127.0.0.1", "127.0.0.2", "127.0.0.3");
        List<Duration> right = new ArrayList<>();
        var guessed = new AtomicInteger();
        int _ =
                unnoticed(
                        "wrong proofs",
                        () -> {
                            List<Future<?>> all = new ArrayList<>();
                            for (String address : addresses) {
                                for (int i = 0; i < GUESSERS; i++) {
                                    all.add(
                                            threads.submit(
                                                    () -> {
                                                        guess(address, guessed);
                                                        return null;
                                                    }));
                                }
                            }
                            while (!all.stream().allMatch(Future::isDone)) {
                                right.add(comeIn());
                                // The rest of the time is for those who guess.
                                Wait.until(BRIEFLY, all.getLast()::isDone);
                            }
                            for (Future<?> one : all) {
                                one.get();
                            }
                            return guessed.get();
                        });

        right.sort(null);
        Duration usual = right.get(right.size() / 2);
        assertTrue(usual.compareTo(AT_ONCE) < 0, "right proofs have waited: " + right);
        for (String address : addresses) {
            try (Wire one = wrong(address)) {
                assertTrue(one.isSilent(AT_ONCE), "the refusal of a guess does not wait");
            }
        }
        try (Wire first = wrong("127.0.0.4")) {
            assertTrue(Bytes.text(first.readAll()).startsWith("REJECTED"));
        }
    }

    /** Guesses without a pause until the time is over and all have guessed often enough. */
    private static void guess(String address, AtomicInteger guessed) throws IOException {
        long end = System.nanoTime() + GUESSING.toNanos();
        while (System.nanoTime() < end || guessed.get() < GUESSES) {
            // In order: a reset could overtake the guess.
            wrong(address).close();
            guessed.incrementAndGet();
        }
    }

    /** A connection that has just proved nothing. */
    private static Wire wrong(String address) throws IOException {
        Wire wire = Wire.to(proxy.process().lrwpPort(), address, 0);
        wire.send(GuardedProxy.claim());
        String challenge = "CHALLENGE" + ScriptedPeer.FF + "000000064";
        assertEquals(challenge, Bytes.text(wire.read(challenge.length())));
        wire.read(64);
        wire.send("000000032" + "?".repeat(32));
        return wire;
    }

    @Test
    void halfHandshakesKeepNobodyOut() throws Exception {
        byte[] hello = clientHello();
        List<SocketChannel> half = new ArrayList<>();
        try {
            unnoticed(
                    "half handshakes",
                    () -> {
                        for (int i = 0; i < HALF_HANDSHAKES; i++) {
                            // The rest of a whole one is for the server to compute.
                            int length = i % 2 == 0 ? hello.length : i % hello.length;
                            half.addAll(hello(ByteBuffer.wrap(hello, 0, length)));
                        }
                        return half.size();
                    });
            proxy.peer("shop", shop).close();
        } finally {
            for (SocketChannel one : half) {
                one.close();
            }
        }
    }

    private static List<SocketChannel> hello(ByteBuffer bytes) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.tlsPort());
        SocketChannel channel = SocketChannel.open(address);
        channel.write(bytes);
        return List.of(channel);
    }

    /** The first message of a client. */
    private static byte[] clientHello() throws SSLException {
        SSLEngine engine = TrustAll.context().createSSLEngine();
        engine.setUseClientMode(true);
        engine.beginHandshake();
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    @Test
    void tenThousandContextsOfOnePeerCostLittle() throws Exception {
        Duration alone = Duration.ZERO;
        try (Tunnel tunnel = proxy.tunnel(bulk, ProtocolVersion.LRWP_3)) {
            long begin = cpuNanos();
            register(tunnel.frames(), "bulk");
            alone = Duration.ofNanos(cpuNanos() - begin);
        }
        Duration registering =
                unnoticed(
                        "registering " + CONTEXTS + " contexts, alone " + alone + " of CPU",
                        () -> {
                            try (Tunnel tunnel = proxy.tunnel(more, ProtocolVersion.LRWP_3)) {
                                long begin = System.nanoTime();
                                register(tunnel.frames(), "more");
                                return Duration.ofNanos(System.nanoTime() - begin);
                            }
                        });
        assertTrue(registering.compareTo(SOON) < 0);
        assertTrue(alone.compareTo(Duration.ofSeconds(4)) < 0, alone + " of CPU");
        Wait.require("all have left", SOON, () -> proxy.process().status().peers() == shopPeers());
    }

    private static int shopPeers() throws IOException {
        return proxy.process().status().number("/shop", "connections");
    }

    /** Asks for all contexts at once, and reads that each is granted. */
    private void register(FramePeer one, String name) throws Exception {
        one.open("");
        byte[][] frames = new byte[CONTEXTS][];
        for (int i = 0; i < CONTEXTS; i++) {
            String names = name + "/" + i + ScriptedPeer.FF + ScriptedPeer.FF;
            frames[i] = Frame.of(Frame.REGISTER, 0, names).bytes();
        }
        Future<?> sent =
                threads.submit(
                        () -> {
                            one.wire().send(Bytes.join(frames));
                            return null;
                        });
        for (int i = 0; i < CONTEXTS; i++) {
            String told = one.expect(Frame.REGISTERED, 0).text();
            assertTrue(told.endsWith(ScriptedPeer.FF.repeat(3)), told);
        }
        sent.get();
    }

    // ---- Inside TLS.

    @Test
    void aCutIsNoEndInOrder() throws Exception {
        try (Tunnel tunnel = proxy.tunnel(cut, ProtocolVersion.LRWP_3);
                RawHttp client = RawHttp.to(proxy.process().httpPort())) {
            FramePeer first = tunnel.frames().open("cut", "started=1");
            first.requireAlive();
            client.post("/cut/order", Bytes.of("body"));
            first.request("/order");
            try (Tunnel other = proxy.tunnel(cut, ProtocolVersion.LRWP_3)) {
                FramePeer second = other.frames().open("cut", "started=1");
                second.requireAlive();
                // With close_notify: it surely was not started, and goes elsewhere.
                first.finish();
                StreamedRequest moved = second.request("/order");
                second.text(moved.stream(), "of the second");
                assertEquals("of the second", client.answer().text());

                client.post("/cut/unknown", Bytes.of("body"));
                second.request("/unknown");
                try (Tunnel third = proxy.tunnel(cut, ProtocolVersion.LRWP_3)) {
                    FramePeer idle = third.frames().open("cut", "started=1");
                    idle.requireAlive();
                    // Without it: nobody knows, and a POST is not sent twice.
                    other.cut();
                    Answers.requireError(502, "peer-gone", client.answer());

                    client.request("GET", "/cut/answer");
                    StreamedRequest half = idle.request("/answer");
                    idle.begin(half.stream(), "Content-Type: text/plain\r\n\r\nhalf");
                    assertTrue(client.line().startsWith("HTTP/1.1 200"));
                    third.cut();
                    assertThrows(IOException.class, () -> client.unchunked().readAllBytes());
                }
            }
        }
    }

    @Test
    void recordsOfOneByteArriveAndHoldNobodyUp() throws Exception {
        String large = "0123456789".repeat(SINGLE_BYTES / 10);
        try (Tunnel tunnel = proxy.tunnel(cut, ProtocolVersion.LRWP_1);
                RawHttp client = RawHttp.to(proxy.process().httpPort())) {
            ScriptedPeer slow = tunnel.scripted().register("cut");
            client.request("GET", "/cut/slowly");
            RequestFrame request = slow.request();
            assertEquals("/slowly", request.env("PATH_INFO"));
            unnoticed(
                    "records of one byte",
                    () -> {
                        slow.wire().sendSingly(ScriptedPeer.frame(ScriptedPeer.plain(large)));
                        return large.length();
                    });
            assertEquals(large, client.answer().text());
        }
    }

    @Test
    void noHandshakeIsBegunAgain() throws Exception {
        byte[] hello = clientHello();
        unnoticed(
                "second handshakes",
                () -> {
                    try (Tunnel tunnel = proxy.tunnel(cut, ProtocolVersion.LRWP_1)) {
                        tunnel.scripted().register("cut");
                        tunnel.tcp().getOutputStream().write(hello);
                        assertTrue(isCut(tunnel.inside(), 0));
                    }
                    try (Tunnel tunnel = proxy.tunnel(cut, ProtocolVersion.LRWP_1)) {
                        tunnel.scripted().register("cut");
                        assertTrue(isCut(tunnel.inside(), KEY_UPDATES));
                    }
                    return KEY_UPDATES;
                });
        try (Socket tcp = new Socket(InetAddress.getLoopbackAddress(), proxy.tlsPort());
                SSLSocket old =
                        (SSLSocket)
                                TrustAll.context()
                                        .getSocketFactory()
                                        .createSocket(tcp, "localhost", proxy.tlsPort(), true)) {
            old.setEnabledProtocols(new String[] {"TLSv1.2"});
            SSLException refusal = assertThrows(SSLException.class, old::startHandshake);
            assertTrue(String.valueOf(refusal.getMessage()).contains("protocol_version"));
        }
    }

    /**
     * Changes the key so many times, and says whether the proxy ends the connection. The JDK shows
     * a cut as an end where the proxy had read all, and as a reset where it had not.
     */
    private static boolean isCut(SSLSocket socket, int changes) throws IOException {
        socket.setSoTimeout((int) SOON.toMillis());
        try {
            for (int i = 0; i < changes; i++) {
                socket.startHandshake();
            }
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SSLException | SocketException e) {
            return true;
        }
    }

    @Test
    void certificatesThatProveNothingLetNobodyIn() throws Exception {
        Issued withdrawn = proxy.authority().issue("withdrawn");
        proxy.revoke(withdrawn);
        var others = new TestAuthority(folder.resolve("others"), "others");
        PeerTls nothing = PeerTls.trusting(proxy.authority().certificate());
        List<PeerTls> wrong =
                List.of(
                        nothing,
                        proxy.tls(proxy.authority().issueExpired("expired")),
                        proxy.tls(others.issue("shop")),
                        proxy.tls(withdrawn));
        // Until then the port takes it, and only the peers file does not know it.
        Wait.require("the list is read", SOON, () -> told(wrong.getLast()).isEmpty());
        unnoticed(
                "certificates that prove nothing",
                () -> {
                    for (int i = 0; i < 10; i++) {
                        for (PeerTls one : wrong) {
                            assertEquals("", told(one));
                        }
                    }
                    return wrong.size();
                });
        assertEquals("OK", told(proxy.tls(cut)));
        try (Socket tcp = new Socket(InetAddress.getLoopbackAddress(), proxy.tlsPort())) {
            PeerTls own = proxy.tls(cut);
            var version = ProtocolVersion.LRWP_1;
            assertThrows(SSLException.class, () -> own.open(tcp, "elsewhere.example", version));
        }
    }

    /** What a registration is told first; empty when its TLS is refused. */
    private static String told(PeerTls tls) throws IOException {
        try (Socket tcp = new Socket(InetAddress.getLoopbackAddress(), proxy.tlsPort());
                SSLSocket inside = tls.open(tcp, "localhost", ProtocolVersion.LRWP_1)) {
            inside.getOutputStream().write(Bytes.of("cut" + ScriptedPeer.FF.repeat(2)));
            return Bytes.text(inside.getInputStream().readNBytes(2));
        } catch (SSLException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("alert"), e.toString());
            return "";
        }
    }

    /** Processor time of the server so far. */
    private static long cpuNanos() {
        return ProcessHandle.of(proxy.process().pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow()
                .toNanos();
    }
}
