package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aSerialPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.MalformedFrameException;

import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

@Timeout(60)
final class LrwpPeerRegistrationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RecordedEvents events = new RecordedEvents();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    @Test
    void peerRegistersWithApplicationAndHost() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).vhost("a.test").connect();
                ProxySide side = proxy.accept()) {
            side.expect("osp\u00ffa.test\u00ff");
            assertFalse(peer.awaitRegistered(Duration.ZERO));
            side.send("OK");

            assertTrue(peer.awaitRegistered(PATIENCE));
            assertEquals(1, peer.registeredConnections());
            assertInstanceOf(PeerEvent.Connecting.class, events.any());
            PeerLink link = assertInstanceOf(PeerEvent.Registered.class, events.any()).link();
            assertEquals(
                    "proxy=" + proxy.address() + " context=/osp vhost=a.test connection=1",
                    link.toString());
        }
    }

    @Test
    void acknowledgementMayComeByteByByteWithARequestGluedToIt() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect();
                ProxySide side = proxy.accept()) {
            side.expect("osp\u00ff\u00ff");
            side.send("O");
            byte[] request = ProxySide.frame("POST", "glued");
            byte[] glued = new byte[request.length + 1];
            glued[0] = 'K';
            System.arraycopy(request, 0, glued, 1, request.length);
            side.send(glued);

            assertEquals("glued", side.answerBody());
            assertTrue(peer.awaitRegistered(PATIENCE));
        }
    }

    @Test
    void everyContextGetsItsConnections() throws Exception {
        try (LrwpPeer peer =
                aSerialPeer(proxy, events).context(".ext").context("/").concurrency(2).connect()) {
            Set<String> seen = new TreeSet<>();
            for (int i = 0; i < 6; i++) {
                PeerLink link = events.next(PeerEvent.Connecting.class).link();
                seen.add(link.context() + " " + link.number());
            }

            assertEquals(Set.of("/osp 1", "/osp 2", ".ext 1", ".ext 2", "/ 1", "/ 2"), seen);
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void secretAnswersTheChallenge() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).secret("geheim").connect();
                ProxySide side = proxy.accept()) {
            side.expect("\u00ff2.0\u00ffosp\u00ff\u00ff");
            byte[] bytes = new byte[Challenge.SIZE];
            bytes[3] = 77;
            Challenge challenge = Challenge.of(bytes);
            side.wire().sendSingly(challenge.encode());
            byte[] expected = challenge.answer("geheim".getBytes(StandardCharsets.UTF_8));
            side.expect(new String(expected, StandardCharsets.ISO_8859_1));
            side.send("OK\u00ff");

            assertTrue(peer.awaitRegistered(PATIENCE));
        }
    }

    @Test
    void secondChallengeIsNotAnswered() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).secret("geheim").connect();
                ProxySide side = proxy.accept()) {
            side.expect("\u00ff2.0\u00ffosp\u00ff\u00ff");
            Challenge challenge = Challenge.of(new byte[Challenge.SIZE]);
            side.send(challenge.encode());
            byte[] answer = challenge.answer("geheim".getBytes(StandardCharsets.UTF_8));
            side.expect(new String(answer, StandardCharsets.ISO_8859_1));
            side.send(challenge.encode());

            side.expectEnd();
            assertInstanceOf(
                    MalformedFrameException.class, events.next(PeerEvent.Lost.class).cause());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void plainRefusalIsReportedAndRetried() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect()) {
            try (ProxySide side = proxy.accept()) {
                side.expect("osp\u00ff\u00ff");
                side.send("ERROR: Application not permitted");
            }
            assertEquals(
                    "ERROR: Application not permitted",
                    events.next(PeerEvent.Refused.class).text());
            assertInstanceOf(PeerEvent.Retrying.class, events.any());

            try (ProxySide side = proxy.register("osp")) {
                assertTrue(peer.awaitRegistered(PATIENCE));
                side.send(ProxySide.frame("POST", "later"));
                assertEquals("later", side.answerBody());
            }
        }
    }

    @Test
    void framedRefusalIsReportedWithoutItsFrame() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).secret("x").connect();
                ProxySide side = proxy.accept()) {
            side.expect("\u00ff2.0\u00ffosp\u00ff\u00ff");
            side.send("REJECTED\u00ffIncorrect LRWP challenge response\u00ff");

            assertEquals(
                    "Incorrect LRWP challenge response",
                    events.next(PeerEvent.Refused.class).text());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void proxyThatHangsUpWithoutAWordIsLost() throws Exception {
        try (LrwpPeer peer = aSerialPeer(proxy, events).connect()) {
            try (ProxySide side = proxy.accept()) {
                side.expect("osp\u00ff\u00ff");
            }

            assertInstanceOf(EOFException.class, events.next(PeerEvent.Lost.class).cause());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void proxyThatSaysNothingIsLostAfterTheRegistrationTime() throws Exception {
        PeerTimes times = PeerFixture.QUICK.withWaits(PATIENCE, Duration.ofMillis(20), PATIENCE);
        try (LrwpPeer peer = aSerialPeer(proxy, events).times(times).connect()) {
            assertInstanceOf(
                    SocketTimeoutException.class, events.next(PeerEvent.Lost.class).cause());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void closingWhileTheProxyIsSilentDoesNotWaitForIt() throws Exception {
        LrwpPeer peer = aSerialPeer(proxy, events).connect();
        try (ProxySide side = proxy.accept()) {
            side.expect("osp\u00ff\u00ff");

            peer.close();

            side.expectEnd();
            events.next(PeerEvent.Closed.class);
            assertTrue(events.isEmpty());
        }
    }
}
