package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.testkit.wire.Frame;

import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** How a peer comes to a version: the handshake of LRWP 3 and the way down from it. */
@Timeout(60)
final class MultiplexHandshakeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String HELLO_3 = "\u00ff3.0\u00ffosp\u00ff\u00ff";
    private static final String HELLO_2 = "\u00ff2.0\u00ffosp\u00ff\u00ff";
    private static final String UNKNOWN = "ERROR: Unknown LRWP version";

    private final RecordedEvents events = new RecordedEvents();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    private void answerHello(String hello, String answer) throws Exception {
        try (ProxySide side = proxy.accept()) {
            side.expect(hello);
            side.send(answer);
        }
    }

    @Test
    void peerSaysWhatItCanInItsFirstFrame() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).concurrency(7).stream(true).name("t").connect();
                FrameSide side = FrameSide.greet(proxy.accept(), FrameSide.SETTINGS)) {
            PeerSettings settings = side.settings();

            assertFalse(settings.instance().isEmpty());
            assertEquals(
                    new PeerSettings(
                            "t",
                            7,
                            262_148,
                            262_144,
                            true,
                            true,
                            true,
                            UpgradeNames.NONE,
                            settings.instance()),
                    settings);
            assertTrue(peer.awaitRegistered(PATIENCE));
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void allConnectionsOfOnePeerNameOneInstanceAndThoseOfAnotherPeerAnother() throws Exception {
        var two = new ProxySettings("", 65_536, 65_536, 10, 2);
        String first;
        try (LrwpPeer _ = aPeer(proxy, events).concurrency(2).connect();
                FrameSide one = FrameSide.greet(proxy.accept(), two);
                FrameSide other = FrameSide.greet(proxy.accept(), two)) {
            first = one.settings().instance();
            assertEquals(first, other.settings().instance());
        }
        // The first peer may have dialled once more before it was closed: not the same proxy.
        try (ScriptedProxy fresh = ScriptedProxy.start();
                LrwpPeer _ = aPeer(fresh, events).connect();
                FrameSide side = FrameSide.greet(fresh.accept(), FrameSide.SETTINGS)) {
            assertNotEquals(first, side.settings().instance());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UNKNOWN, "ERROR: Malformed startup string"})
    void olderProxyIsSpokenToIn2AndThen1AndInFullLater(String words) throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect()) {
            answerHello(HELLO_3, words);
            answerHello(HELLO_2, words);
            try (ProxySide side = proxy.register("osp")) {
                side.send(ProxySide.frame("POST", "old"));
                assertEquals("old", side.answerBody());
                assertTrue(peer.awaitRegistered(PATIENCE));
            }
            PeerEvent.Downgraded first = events.next(PeerEvent.Downgraded.class);
            PeerEvent.Downgraded second = events.next(PeerEvent.Downgraded.class);
            assertEquals(ProtocolVersion.LRWP_2, first.to());
            assertEquals(words, first.text());
            assertEquals(ProtocolVersion.LRWP_1, second.to());

            // Each reconnect starts with 3.0 again; the proxy has learnt it meanwhile.
            try (FrameSide probe = FrameSide.greet(proxy.accept(), FrameSide.SETTINGS)) {
                probe.expectEnd();
            }
            try (FrameSide side = FrameSide.accept(proxy)) {
                side.request(1, "POST", "new");
                assertEquals("new", side.answer(1).body());
            }
        }
    }

    @Test
    void silenceAndABareOkAreThoseOfAnOlderProxy() throws Exception {
        PeerTimes times = PeerFixture.QUICK.withWaits(PATIENCE, Duration.ofMillis(50), PATIENCE);
        try (LrwpPeer peer = aPeer(proxy, events).times(times).connect();
                ProxySide silent = proxy.accept()) {
            silent.expect(HELLO_3);
            silent.expectEnd();
            try (ProxySide bare = proxy.accept()) {
                bare.expect(HELLO_2);
                bare.send("OK");
                bare.expectEnd();
            }
            proxy.register("osp").close();
            assertEquals("silence", events.next(PeerEvent.Downgraded.class).text());
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"window=many\0", "max-frame=65535\0", "window=70000"})
    void settingsThatAreNotAllowedAreAnswered(String settings) throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                ProxySide side = proxy.accept()) {
            side.expect(HELLO_3);
            Frame first = Frame.of(Frame.SETTINGS, 0, settings);
            FrameSide broken = FrameSide.beginning(side, first);

            assertFalse(broken.expect(Frame.ERROR, 0).text().isEmpty());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void framedRefusalNeverLeadsToAnOlderVersion() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect()) {
            answerHello(HELLO_3, "REJECTED\u00ffno\u00ff");
            assertEquals("no", events.next(PeerEvent.Refused.class).text());

            FrameSide.accept(proxy).close();
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void proxyThatHangsUpWithoutAWordIsLostAndNotOlder() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect()) {
            answerHello(HELLO_3, "");
            assertInstanceOf(EOFException.class, events.next(PeerEvent.Lost.class).cause());

            FrameSide.accept(proxy).close();
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void secretIsProvedWithoutTellingIt() throws Exception {
        byte[] key = "geheim".getBytes(StandardCharsets.UTF_8);
        try (LrwpPeer peer = aPeer(proxy, events).secret(key).connect();
                ProxySide side = proxy.accept()) {
            side.expect(HELLO_3);
            Challenge challenge = Challenge.of(new byte[Challenge.SIZE]);
            side.send(challenge.encode());
            side.expect("000000032");
            Registration named = new Registration(ProtocolVersion.LRWP_3, "osp", "");
            assertTrue(challenge.isProvedBy(side.read(Challenge.SIZE), key, named));
            FrameSide.accepted(side, FrameSide.SETTINGS).settings();

            assertTrue(peer.awaitRegistered(PATIENCE));
        }
    }

    @Test
    void secretIsNotShownToAnOlderProxy() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).secret("geheim").connect()) {
            answerHello(HELLO_3, UNKNOWN);
            assertTrue(events.next(PeerEvent.Refused.class).text().startsWith(UNKNOWN));
            answerHello(HELLO_3, UNKNOWN);
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void silentProxyIsLostToAPeerWithASecret() throws Exception {
        PeerTimes times = PeerFixture.QUICK.withWaits(PATIENCE, Duration.ofMillis(50), PATIENCE);
        try (LrwpPeer peer = aPeer(proxy, events).secret("geheim").times(times).connect();
                ProxySide silent = proxy.accept()) {
            silent.expect(HELLO_3);
            silent.expectEnd();
            assertInstanceOf(
                    SocketTimeoutException.class, events.next(PeerEvent.Lost.class).cause());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void secretIsShownToAnOlderProxyWhenItMayBe() throws Exception {
        try (LrwpPeer peer =
                aPeer(proxy, events)
                        .secret("geheim")
                        .versions(ProtocolVersion.LRWP_1, ProtocolVersion.LRWP_3)
                        .connect()) {
            answerHello(HELLO_3, UNKNOWN);
            try (ProxySide side = proxy.accept()) {
                side.expect(HELLO_2);
                side.send("OK\u00ff");
                assertTrue(peer.awaitRegistered(PATIENCE));
            }
            answerHello(HELLO_3, UNKNOWN);
            answerHello(HELLO_2, UNKNOWN);
            assertEquals(UNKNOWN, events.next(PeerEvent.Refused.class).text());
        }
    }

    @Test
    void contextsShareTheConnectionAndMayChange() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).context(".ext").context("/").connect();
                FrameSide side = FrameSide.accept(proxy)) {
            assertEquals(".ext\u00ff\u00ff", side.expect(Frame.REGISTER, 0).text());
            assertEquals("/\u00ff\u00ff", side.expect(Frame.REGISTER, 0).text());
            side.registered(".ext", "");
            assertFalse(peer.awaitRegistered(Duration.ZERO));
            side.registered("/", "");
            assertTrue(peer.awaitRegistered(PATIENCE));
            assertEquals(1, peer.registeredConnections());

            peer.register("late");
            assertEquals("late\u00ff\u00ff", side.expect(Frame.REGISTER, 0).text());
            side.registered("late", "");
            assertTrue(peer.awaitRegistered(PATIENCE));
            peer.unregister("/osp");
            assertEquals("osp\u00ff\u00ff", side.expect(Frame.UNREGISTER, 0).text());
            side.registered("osp", "");
            assertEquals("/osp", events.next(PeerEvent.Unregistered.class).link().context());
        }
    }

    @Test
    void refusedContextIsReportedAndAskedForAgain() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).context("/b").connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.expect(Frame.REGISTER, 0);
            side.registered("b", "another secret");
            PeerEvent.Refused refused = events.next(PeerEvent.Refused.class);
            assertEquals("/b another secret", refused.link().context() + " " + refused.text());

            side.expect(Frame.REGISTER, 0);
            side.registered("b", "");
            assertTrue(peer.awaitRegistered(PATIENCE));
        }
    }

    @Test
    void answerThatWasNotAskedForEndsTheConnection() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                FrameSide side = FrameSide.accept(proxy)) {
            side.registered("other", "");

            side.expectError(events);
            assertTrue(peer.registeredConnections() <= 1);
        }
    }

    @Test
    void concurrencyIsDividedOverTheConnectionsTheProxyWants() throws Exception {
        ProxySettings three = new ProxySettings("test", 65_536, 65_536, 0, 3);
        try (LrwpPeer peer = aPeer(proxy, events).concurrency(8).connect();
                FrameSide first = FrameSide.greet(proxy.accept(), three);
                FrameSide second = FrameSide.greet(proxy.accept(), three);
                FrameSide third = FrameSide.greet(proxy.accept(), three)) {
            int sum =
                    first.settings().capacity()
                            + second.settings().capacity()
                            + third.settings().capacity();
            assertEquals(8, sum);

            peer.concurrency(3);
            assertEquals(1, first.expect(Frame.CAPACITY, 0).number());
            assertEquals(1, second.expect(Frame.CAPACITY, 0).number());
            assertEquals(1, third.expect(Frame.CAPACITY, 0).number());
        }
    }

    @Test
    void proxyWithoutSettingsIsLostAfterTheRegistrationTime() throws Exception {
        PeerTimes times = PeerFixture.QUICK.withWaits(PATIENCE, Duration.ofMillis(50), PATIENCE);
        try (LrwpPeer peer = aPeer(proxy, events).times(times).connect();
                ProxySide side = proxy.accept()) {
            side.expect(HELLO_3);
            side.send("OK\u00ff");

            side.expectEnd();
            assertInstanceOf(
                    SocketTimeoutException.class, events.next(PeerEvent.Lost.class).cause());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void proxyWhoseFirstFrameIsAnotherIsTold() throws Exception {
        try (LrwpPeer peer = aPeer(proxy, events).connect();
                ProxySide side = proxy.accept()) {
            side.expect(HELLO_3);
            Frame first = Frame.of(Frame.PING, 0, "too soon");
            FrameSide broken = FrameSide.beginning(side, first);

            assertTrue(broken.expect(Frame.ERROR, 0).text().contains("PING"));
            broken.expectEnd();
            assertInstanceOf(
                    MalformedFrameException.class, events.next(PeerEvent.Lost.class).cause());
            assertEquals(0, peer.registeredConnections());
        }
    }

    @Test
    void serialConnectionsFollowTheConcurrencyToo() throws Exception {
        try (LrwpPeer peer = PeerFixture.aSerialPeer(proxy, events).concurrency(2).connect();
                ProxySide first = proxy.register("osp");
                ProxySide second = proxy.register("osp")) {
            events.next(PeerEvent.Registered.class);
            events.next(PeerEvent.Registered.class);
            peer.concurrency(0);
            first.expectEnd();
            second.expectEnd();
            events.next(PeerEvent.Closed.class);
            events.next(PeerEvent.Closed.class);

            peer.concurrency(1);
            try (ProxySide again = proxy.register("osp")) {
                again.send(ProxySide.frame("POST", "back"));
                assertEquals("back", again.answerBody());
            }
        }
    }
}
