package org.lrwp.engine.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.testkit.FakeLoop;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.LinkSecurity;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** TLS over a link in memory: two engines back to back, every byte moved by hand. */
class TlsLinkTest {
    /** So long is a list of the test's authority good. */
    private static final Duration LIST = Duration.ofDays(30);

    private static final int ALL = Integer.MAX_VALUE / 2;

    @TempDir private static Path folder;
    private static TestFiles files;
    private static SSLContext known;

    private final FakeLoop loop = new FakeLoop();
    private FakeLink wire = new FakeLink("127.0.0.1", 40_000, loop);
    private Duration later = Duration.ZERO;
    private final Deque<Runnable> computations = new ArrayDeque<>();
    private HandshakeTurns turns = new HandshakeTurns(computations::add, ALL);
    private final Owner owner = new Owner();
    private final TlsBuffers buffers = new TlsBuffers();
    private final List<String> refused = new ArrayList<>();
    private final List<SSLEngine> engines = new ArrayList<>();
    private TlsContexts contexts;
    private EngineClient client;
    private Link link;

    /** Reads all there is, and remembers how it ended. */
    private final class Owner implements LinkEvents {
        private final StringBuilder got = new StringBuilder();
        private int room = 64 * 1024;
        private int writable;
        private int progress;
        private boolean ended;
        private @Nullable IOException failure;

        @Override
        public void readable() {
            ByteBuffer target = ByteBuffer.allocate(room);
            try {
                ended |= link.read(target) < 0;
            } catch (IOException e) {
                failure = e;
            }
            got.append(StandardCharsets.ISO_8859_1.decode(target.flip()));
        }

        @Override
        public void writable() {
            writable++;
        }

        @Override
        public void progress() {
            progress++;
        }
    }

    @BeforeAll
    static void issue() throws IOException, GeneralSecurityException {
        files = new TestFiles(folder);
        known = files.client(files.peer());
    }

    @BeforeEach
    void accept() throws IOException {
        contexts = contexts(null);
        dial();
    }

    private TlsContexts contexts(@Nullable Path revoked) throws IOException {
        return new TlsContexts(
                files.config(ClientCertificates.REQUIRED, revoked),
                () -> Instant.now().plus(later));
    }

    private void dial() {
        link =
                new TlsLink(
                                wire,
                                () -> made(contexts.engine()),
                                contexts::check,
                                turns,
                                buffers,
                                new HandshakeCounts((peer, why) -> refused.add(why)))
                        .start();
        link.events(owner);
        client = new EngineClient(known, wire, loop);
    }

    private SSLEngine made(SSLEngine engine) {
        engines.add(engine);
        return engine;
    }

    private void connect(int piece) throws IOException {
        client.begin();
        while (!client.isOver()) {
            client.deliver(client.records(""), piece);
            compute();
            client.take();
        }
        client.deliver(client.records(""), piece);
        compute();
        assertNotNull(link.security());
    }

    private void compute() {
        while (!computations.isEmpty()) {
            computations.remove().run();
            loop.run();
        }
    }

    private long write(String text) throws IOException {
        return link.write(
                new ByteBuffer[] {ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1))});
    }

    /** Like {@link #connect}, for a handshake that the proxy refuses at its end. */
    private void assertRefusedAtItsEnd(String reason) throws IOException {
        wire = new FakeLink("127.0.0.1", 40_001, loop);
        dial();
        client.begin();
        while (!client.isOver()) {
            client.deliver(client.records(""), ALL);
            compute();
            client.take();
        }
        client.deliver(client.records(""), ALL);
        compute();
        client.take();
        assertNull(link.security());
        assertTrue(client.isEnded());
        assertEquals(1, refused.size());
        assertTrue(refused.getFirst().contains(reason), refused::toString);
    }

    @Test
    void anExpiredPeerIsRefusedAlthoughItHasASession() throws IOException {
        connect(ALL);
        client.deliver(client.records("hello"), ALL);
        client.take();
        later = Duration.ofDays(365 * 100);
        assertRefusedAtItsEnd("the certificate of CN=peer is not in force");
    }

    @Test
    void aPeerIsRefusedWhenTheListOfTheRevokedHasEndedAlthoughItHasASession() throws IOException {
        contexts = contexts(files.authority().revoked());
        wire = new FakeLink("127.0.0.1", 40_000, loop);
        dial();
        connect(ALL);
        client.take();
        later = LIST.plusMinutes(1);
        assertRefusedAtItsEnd("the list of what CN=ours has revoked has ended");
    }

    @Test
    void bytesGoBothWays() throws IOException {
        connect(ALL);
        client.deliver(client.records("hello"), ALL);
        assertEquals("hello", owner.got.toString());
        assertEquals(5, write("there"));
        assertEquals("there", client.take());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000})
    void bytesThatComeOneByOneAreAsGood(int piece) throws IOException {
        connect(piece);
        client.deliver(client.records("hello"), piece);
        assertEquals("hello", owner.got.toString());
    }

    @Test
    void recordsOfOneByteAreRead() throws IOException {
        connect(ALL);
        StringBuilder records = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            records.append(client.records("x"));
        }
        client.deliver(records.toString(), ALL);
        loop.run();
        assertEquals("x".repeat(3000), owner.got.toString());
    }

    @Test
    void theOwnerSeesWhoThePeerIs() throws IOException, GeneralSecurityException {
        connect(ALL);
        LinkSecurity security = link.security();
        assertNotNull(security);
        assertEquals("lrwp/3", security.applicationProtocol());
        assertEquals(
                "CN=peer",
                security.peerCertificates().getFirst().getSubjectX500Principal().getName());
        assertEquals(files.serverHash(), security.serverCertificateHash());
    }

    @Test
    void beforeTheHandshakeIsOverNothingIsTakenAndNothingTold() throws IOException {
        client.begin();
        client.deliver(client.records(""), ALL);
        assertEquals(0, write("too early"));
        assertEquals(0, link.read(ByteBuffer.allocate(100)));
        assertNull(link.security());
    }

    @Test
    void whileAnotherThreadComputesNothingIsRead() throws IOException {
        client.begin();
        client.deliver(client.records(""), ALL);
        assertEquals(1, computations.size());
        assertFalse(wire.isReading());
        computations.remove().run();
        loop.run();
        assertTrue(wire.isReading());
        assertFalse(wire.received().isEmpty());
    }

    /** Says hello from an address, and returns its connection. */
    private FakeLink hello(String address, int port) throws IOException {
        wire = new FakeLink(address, port, loop);
        dial();
        client.begin();
        client.deliver(client.records(""), ALL);
        return wire;
    }

    @Test
    void aFloodOfHandshakesFromOneAddressKeepsItsOwnWaitingOnly() throws IOException {
        List<FakeLink> flood = new ArrayList<>();
        for (int port = 1; port <= 20; port++) {
            flood.add(hello("192.0.2.1", port));
        }
        FakeLink other = hello("192.0.2.2", 1);
        for (int turn = 1; turn <= 2; turn++) {
            computations.remove().run();
            loop.run();
        }
        assertFalse(other.received().isEmpty());
        assertEquals(1, flood.stream().filter(one -> !one.received().isEmpty()).count());
    }

    @Test
    void aHandshakeThatNobodyComputesAnyMoreIsRefused() throws IOException {
        turns =
                new HandshakeTurns(
                        work -> {
                            throw new RejectedExecutionException();
                        },
                        ALL);
        hello("192.0.2.1", 1);
        loop.run();
        assertEquals(List.of("no TLS handshake is begun any more"), refused);
    }

    @Test
    void aHandshakeThatWaitsForBytesTakesNoThread() throws IOException {
        client.begin();
        String hello = client.records("");
        client.deliver(hello.substring(0, hello.length() - 1), ALL);
        assertEquals(0, computations.size());
    }

    @Test
    void whoSaysNothingCostsNoEngine() throws IOException {
        assertEquals(List.of(), engines);

        client.begin();
        client.deliver(client.records("").substring(0, 1), ALL);

        assertEquals(1, engines.size());
    }

    /** Else those that come and go would have it compute, and keep, more than those who stay. */
    @Test
    void nothingIsComputedForAConnectionThatIsClosedMeanwhile() throws IOException {
        client.begin();
        client.deliver(client.records(""), ALL);
        link.close();

        compute();

        assertNotNull(engines.getFirst().getDelegatedTask(), "it was computed");
        assertEquals("", wire.received());
    }

    @Test
    void aStepOfTheHandshakeIsASignOfLife() throws IOException {
        assertEquals(0, owner.progress);
        client.begin();
        client.deliver(client.records("").substring(0, 20), ALL);
        assertEquals(1, owner.progress);
        assertEquals("", owner.got.toString());
    }

    @Test
    void largeBytesArriveWhole() throws IOException {
        connect(ALL);
        String large = "0123456789".repeat(20_000);
        client.deliver(client.records(large), ALL);
        loop.run();
        assertEquals(large, owner.got.toString());
        assertEquals(large.length(), write(large));
        assertEquals(large, client.take());
    }

    @Test
    void readersWithLittleRoomGetAllInTurns() throws IOException {
        connect(ALL);
        owner.room = 100;
        client.deliver(client.records("0123456789".repeat(100)), ALL);
        loop.run();
        assertEquals("0123456789".repeat(100), owner.got.toString());
    }

    @Test
    void whatIsDecryptedWaitsForAReaderThatPauses() throws IOException {
        connect(ALL);
        owner.room = 10;
        client.deliver(client.records("0123456789abc").substring(0, 3), ALL);
        link.reading(false);
        assertFalse(wire.isReading());
        link.reading(true);
        loop.run();
        assertEquals("", owner.got.toString());
    }

    @Test
    void aPausedReaderGetsTheRestWhenItGoesOn() throws IOException {
        connect(ALL);
        owner.room = 10;
        wire.arrives(client.records("0123456789abc"));
        assertEquals("0123456789", owner.got.toString());
        link.reading(false);
        loop.run();
        assertEquals("0123456789", owner.got.toString());
        link.reading(true);
        loop.run();
        assertEquals("0123456789abc", owner.got.toString());
    }

    @Test
    void aConnectionThatTakesNothingHoldsTheWriter() throws IOException {
        connect(ALL);
        wire.takesOnly(10);
        assertEquals(5, write("first"));
        assertEquals(0, write("second"));
        link.awaitWritable();
        assertEquals(0, owner.writable);
        wire.takes(ALL);
        assertEquals(1, owner.writable);
        assertEquals(6, write("second"));
        assertEquals("firstsecond", client.take());
    }

    @Test
    void theEndOfOutputFollowsBehindWhatWaits() throws IOException {
        connect(ALL);
        wire.takesOnly(10);
        write("last words");
        link.shutdownOutput();
        assertFalse(wire.isOutputShut());
        wire.takes(ALL);
        assertTrue(wire.isOutputShut());
        assertEquals("last words", client.take());
        assertTrue(client.isEnded());
    }

    @Test
    void afterTheEndOfOutputBytesStillComeIn() throws IOException {
        connect(ALL);
        link.shutdownOutput();
        client.deliver(client.records("still here"), ALL);
        assertEquals("still here", owner.got.toString());
        assertThrows(IOException.class, () -> write("more"));
    }

    @Test
    void closeNotifyIsTheEndOfInput() throws IOException {
        connect(ALL);
        client.deliver(client.records("bye") + client.closeNotify(), ALL);
        loop.run();
        assertEquals("bye", owner.got.toString());
        assertTrue(owner.ended);
        assertNull(owner.failure);
    }

    @Test
    void anEndWithoutCloseNotifyIsAFailure() throws IOException {
        connect(ALL);
        client.deliver(client.records("cut"), ALL);
        wire.ends();
        loop.run();
        assertEquals("cut", owner.got.toString());
        assertFalse(owner.ended);
        assertNotNull(owner.failure);
        assertTrue(String.valueOf(owner.failure.getMessage()).contains("close_notify"));
    }

    @Test
    void aRecordThatWasChangedOnTheWayEndsTheConnection() throws IOException {
        connect(ALL);
        String record = client.records("hello");
        client.deliver(record.substring(0, record.length() - 1) + "?", ALL);
        assertEquals("", owner.got.toString());
        assertNotNull(owner.failure);
        assertThrows(IOException.class, () -> write("more"));
    }

    @Test
    void aHandshakeInTheMiddleIsRefused() throws IOException {
        connect(ALL);
        var again = new EngineClient(known, wire, loop);
        again.begin();
        client.deliver(again.records(""), ALL);
        assertNotNull(owner.failure);
    }

    @Test
    void aChangedKeyIsAnsweredAndUsed() throws IOException {
        connect(ALL);
        client.deliver(client.keyUpdate(), ALL);
        write("with the new key");
        assertEquals("with the new key", client.take());
        client.deliver(client.records("both ways"), ALL);
        assertEquals("both ways", owner.got.toString());
    }

    @Test
    void aPeerThatOnlyChangesItsKeyIsCutOff() throws IOException {
        connect(ALL);
        for (int i = 0; i < 200 && owner.failure == null; i++) {
            client.deliver(client.keyUpdate(), ALL);
            client.take();
        }
        assertNotNull(owner.failure);
        assertEquals("64 records without content", owner.failure.getMessage());
    }

    @Test
    void aPeerThatChangesItsKeyAndReadsNoAnswerIsCutOff() throws IOException {
        connect(ALL);
        wire.takesOnly(0);
        write("x".repeat(80_000));
        for (int i = 0; i < 20_000 && owner.failure == null; i++) {
            client.deliver(client.keyUpdate() + client.records("x"), ALL);
        }
        assertNotNull(owner.failure);
        assertEquals("the peer changes keys and reads no answer", owner.failure.getMessage());
    }

    @Test
    void whoHasSaidNothingIsNotCountedAsRefused() {
        wire.ends();
        loop.run();
        assertEquals(List.of(), refused);
    }

    @Test
    void whoSpeaksNoTlsIsToldByAnAlertAndClosed() {
        client.deliver("\u00ff3.0\u00ffosp\u00ff\u00ff", ALL);
        String alert = wire.received();
        assertEquals('\u0015', alert.charAt(0));
        assertTrue(wire.isOutputShut());
        assertEquals(1, refused.size());
        assertNull(owner.failure);
        wire.ends();
        loop.run();
        assertNotNull(owner.failure);
    }

    /** Goes on with a handshake until one of the two sides will not. */
    private void refused(SSLContext context) throws IOException {
        client = new EngineClient(context, wire, loop);
        client.begin();
        for (int i = 0; i < 10 && refused.isEmpty(); i++) {
            try {
                client.deliver(client.records(""), ALL);
                compute();
                client.take();
            } catch (SSLException fault) {
                // It has an alert to send.
            }
        }
    }

    private void assertRefused(String words) {
        assertEquals(1, refused.size());
        assertTrue(refused.getFirst().contains(words), refused::getFirst);
    }

    // What docs/tls.md lists.

    @Test
    void aPlainPeerIsToldFromOthers() {
        client.deliver("\u00ff3.0\u00ffosp\u00ff\u00ff", ALL);
        assertRefused("Unrecognized SSL message, plaintext connection?");
    }

    @Test
    void whyACertificateIsRefusedIsTold(@TempDir Path other) throws Exception {
        refused(files.client(new TestFiles(other).peer()));
        assertRefused("Path does not chain with any of the trust anchors");
    }

    @Test
    void aPeerWithoutCertificateIsTold() throws Exception {
        refused(files.client(null));
        assertRefused("certificate_required");
    }

    @Test
    void aPeerThatDoesNotTrustTheProxyIsTold(@TempDir Path other) throws Exception {
        refused(new TestFiles(other).client(files.peer()));
        assertRefused("Received fatal alert");
    }

    @Test
    void anAlertInPlainTextIsTold() throws Exception {
        // As OpenSSL sends it when it does not trust the proxy.
        client.begin();
        client.deliver(client.records(""), ALL);
        compute();
        client.deliver("\u0015\u0003\u0003\u0000\u0002\u00020", ALL);
        assertRefused("plaintext alert received: Level: fatal; Alert: unknown_ca");
    }

    @Test
    void aPeerThatLeavesInTheHandshakeIsAFailure() throws IOException {
        client.begin();
        client.deliver(client.records("").substring(0, 20), ALL);
        wire.ends();
        loop.run();
        assertNotNull(owner.failure);
    }

    @Test
    void closingSaysGoodbyeAndTellsNothingMore() throws IOException {
        connect(ALL);
        link.close();
        assertTrue(wire.isClosed());
        client.take();
        assertTrue(client.isEnded());
        assertThrows(IOException.class, () -> link.read(ByteBuffer.allocate(10)));
    }

    @Test
    void aComputationThatEndsAfterTheLinkIsClosedIsForgotten() throws IOException {
        client.begin();
        client.deliver(client.records(""), ALL);
        link.close();
        computations.remove().run();
        loop.run();
        assertTrue(wire.isClosed());
        assertEquals("", wire.received());
    }
}
