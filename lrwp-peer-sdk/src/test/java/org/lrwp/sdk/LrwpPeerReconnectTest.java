package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aSerialPeer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.ProtocolVersion;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

@Timeout(60)
final class LrwpPeerReconnectTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RecordedEvents events = new RecordedEvents();

    private static PeerConfig.Surroundings resolving(NameResolver resolver) {
        return new PeerConfig.Surroundings(System::nanoTime, new Random(1), resolver);
    }

    @Test
    void lostConnectionIsDialledAgain() throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start();
                LrwpPeer peer = aSerialPeer(proxy, events).connect()) {
            proxy.register("osp").close();
            events.next(PeerEvent.Lost.class);
            events.next(PeerEvent.Retrying.class);
            proxy.register("osp").reset();
            events.next(PeerEvent.Lost.class);

            try (ProxySide side = proxy.register("osp")) {
                side.send(ProxySide.frame("POST", "again"));
                assertEquals("again", side.answerBody());
                assertEquals(1, peer.registeredConnections());
            }
        }
    }

    @Test
    void proxyThatComesUpLaterIsFound() throws Exception {
        int port;
        try (ScriptedProxy early = ScriptedProxy.start()) {
            port = early.port();
        }
        try (LrwpPeer peer = aSerialPeer(port, events).connect()) {
            events.next(PeerEvent.Lost.class);
            events.next(PeerEvent.Lost.class);
            try (ScriptedProxy late = ScriptedProxy.at("127.0.0.1", port);
                    ProxySide side = late.register("osp")) {
                assertTrue(peer.awaitRegistered(PATIENCE));
                side.send(ProxySide.frame("POST", "late"));
                assertEquals("late", side.answerBody());
            }
        }
    }

    @Test
    void twoProxiesAreServedAndTheLossOfOneLeavesTheOther() throws Exception {
        try (ScriptedProxy one = ScriptedProxy.start();
                ScriptedProxy two = ScriptedProxy.start();
                LrwpPeer peer = aSerialPeer(one, events).proxy(two.address()).connect();
                ProxySide first = one.register("osp");
                ProxySide second = two.register("osp")) {
            events.next(PeerEvent.Registered.class);
            events.next(PeerEvent.Registered.class);
            assertEquals(2, peer.registeredConnections());

            first.hangUp();
            events.next(PeerEvent.Lost.class);

            assertEquals(1, peer.registeredConnections());
            second.send(ProxySide.frame("POST", "here"));
            assertEquals("here", second.answerBody());
        }
    }

    @Test
    void loopbackAddressesOfOneNameCountOnce() throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start();
                LrwpPeer peer =
                        LrwpPeer.builder()
                                .versions(ProtocolVersion.LRWP_1, ProtocolVersion.LRWP_1)
                                .proxy("proxy.test:" + proxy.port())
                                .context("osp")
                                .handler(PeerFixture::echo)
                                .listener(events)
                                .times(PeerFixture.QUICK)
                                .surroundings(
                                        resolving(
                                                host ->
                                                        List.of(
                                                                InetAddress.ofLiteral("127.0.0.9"),
                                                                InetAddress.ofLiteral(
                                                                        "127.0.0.1"))))
                                .connect();
                ProxySide side = proxy.register("osp")) {
            PeerLink first = events.next(PeerEvent.Connecting.class).link();
            PeerLink second = events.next(PeerEvent.Connecting.class).link();
            PeerLink served = events.next(PeerEvent.Registered.class).link();

            assertTrue(first.toString().startsWith("proxy=127.0.0.9:"), first::toString);
            assertEquals(second, served);
            side.send(ProxySide.frame("POST", "one"));
            assertEquals("one", side.answerBody());
            assertTrue(events.isEmpty());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void nameIsLookedUpAgainAfterALoss() throws Exception {
        AtomicReference<String> current = new AtomicReference<>("127.0.0.1");
        List<ScriptedProxy> both = ScriptedProxy.startTwo("127.0.0.2");
        try (ScriptedProxy old = both.get(0);
                ScriptedProxy moved = both.get(1);
                LrwpPeer peer =
                        aPeerNamed(
                                        old.port(),
                                        host -> List.of(InetAddress.ofLiteral(current.get())))
                                .connect()) {
            ProxySide before = old.register("osp");
            events.next(PeerEvent.Registered.class);
            current.set("127.0.0.2");
            old.stop();
            before.close();

            try (ProxySide after = moved.register("osp")) {
                after.send(ProxySide.frame("POST", "moved"));
                assertEquals("moved", after.answerBody());
                assertEquals(1, peer.registeredConnections());
            }
        }
    }

    @Test
    void linkOfAnAddressThatIsGoneEndsAndComesBackWithIt() throws Exception {
        AtomicReference<List<InetAddress>> current =
                new AtomicReference<>(List.of(InetAddress.ofLiteral("127.0.0.1")));
        try (ScriptedProxy proxy = ScriptedProxy.start();
                LrwpPeer peer =
                        aPeerNamed(proxy.port(), host -> current.get())
                                .times(PeerFixture.QUICK.withLookup(Duration.ofMillis(5)))
                                .connect()) {
            ProxySide before = proxy.register("osp");
            events.next(PeerEvent.Registered.class);
            current.set(List.of());
            before.close();
            events.next(PeerEvent.Closed.class);

            current.set(List.of(InetAddress.ofLiteral("127.0.0.1")));
            try (ProxySide after = proxy.register("osp")) {
                assertTrue(peer.awaitRegistered(PATIENCE));
                after.send(ProxySide.frame("POST", "back"));
                assertEquals("back", after.answerBody());
            }
        }
    }

    @Test
    void nameWithoutAddressIsLookedUpAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        NameResolver late =
                host -> {
                    if (asked.incrementAndGet() < 3) {
                        throw new UnknownHostException(host);
                    }
                    return List.of(InetAddress.ofLiteral("127.0.0.1"));
                };
        try (ScriptedProxy proxy = ScriptedProxy.start();
                LrwpPeer peer = aPeerNamed(proxy.port(), late).connect();
                ProxySide side = proxy.register("osp")) {
            assertEquals("proxy.test", events.next(PeerEvent.Unresolved.class).proxy().host());
            assertTrue(peer.awaitRegistered(PATIENCE));
            side.send(ProxySide.frame("POST", "found"));
            assertEquals("found", side.answerBody());
        }
    }

    @Test
    void connectionWhoseAddressTheNameHasNoMoreHearsWhatIsServed() throws Exception {
        AtomicBoolean gone = new AtomicBoolean();
        CountDownLatch looks = new CountDownLatch(2);
        NameResolver resolver =
                host -> {
                    if (!gone.get()) {
                        return List.of(InetAddress.ofLiteral("127.0.0.1"));
                    }
                    looks.countDown();
                    return List.of();
                };
        PeerTimes often = PeerFixture.QUICK.withLookup(Duration.ofMillis(10));
        try (ScriptedProxy proxy = ScriptedProxy.start();
                LrwpPeer peer = aPeerNamed(proxy.port(), resolver).times(often).connect();
                ProxySide side = proxy.register("osp")) {
            assertTrue(peer.awaitRegistered(PATIENCE));
            gone.set(true);
            assertTrue(looks.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));

            peer.unregister("osp");

            side.expectEnd();
        }
    }

    private PeerBuilder aPeerNamed(int port, NameResolver resolver) {
        return LrwpPeer.builder()
                .versions(ProtocolVersion.LRWP_1, ProtocolVersion.LRWP_1)
                .proxy(new ProxyAddress("proxy.test", port))
                .context("osp")
                .handler(PeerFixture::echo)
                .listener(events)
                .times(PeerFixture.QUICK)
                .surroundings(resolving(resolver));
    }
}
