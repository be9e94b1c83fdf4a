package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

class ConnectionsTest {
    private final TestEngine engine = new TestEngine();
    private final PeerHealth health =
            new PeerHealth("/osp", HealthConfig.OFF, engine.time(), engine.time(), () -> {});
    private final Connections connections = new Connections(health);
    private final List<PeerFixture> peers = new ArrayList<>();

    private PeerFixture peer() {
        PeerFixture peer =
                PeerFixture.aPeer(
                                engine, new RecordingWork(), TestEngine.peerConfig(), peers.size())
                        .settled();
        peers.add(peer);
        connections.add(peer.connection());
        return peer;
    }

    private PeerSlot claimed() {
        return Objects.requireNonNull(connections.claim(), "none is free");
    }

    @Test
    void equalConnectionsTakeTurns() {
        List<String> names =
                List.of(
                        peer().connection().peerName(),
                        peer().connection().peerName(),
                        peer().connection().peerName());
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            PeerSlot slot = claimed();
            order.add(slot.peerName());
            slot.release();
        }
        List<String> twice = new ArrayList<>(names);
        twice.addAll(names);
        assertEquals(twice, order);
    }

    @Test
    void connectionOfTheCallingThreadGoesFirst() {
        peer();
        PeerFixture here = peer();
        peer();
        here.link().isHere();

        for (int i = 0; i < 3; i++) {
            PeerSlot slot = claimed();
            assertEquals(here.connection().peerName(), slot.peerName());
            slot.release();
        }
        assertEquals(here.connection().peerName(), claimed().peerName());
        assertNotEquals(here.connection().peerName(), claimed().peerName());
    }

    @Test
    void aBusyConnectionIsPassedOver() {
        PeerFixture first = peer();
        PeerFixture second = peer();
        PeerSlot busy = Objects.requireNonNull(first.claim());
        for (int i = 0; i < 3; i++) {
            PeerSlot slot = claimed();
            assertEquals(second.connection().peerName(), slot.peerName());
            slot.release();
        }
        PeerSlot other = claimed();
        assertNull(connections.claim());
        busy.release();
        assertEquals(first.connection().peerName(), claimed().peerName());
        assertNull(connections.claim());
        other.release();
    }

    @Test
    void aConnectionThatIsRemovedIsNotClaimed() {
        assertTrue(connections.isEmpty());
        assertNull(connections.claim());
        PeerFixture first = peer();
        PeerFixture second = peer();
        assertTrue(connections.remove(first.connection()));
        assertFalse(connections.remove(first.connection()));
        assertEquals(second.connection().peerName(), claimed().peerName());
        assertNull(connections.claim());
        assertEquals(1, connections.snapshot().length);
        assertTrue(connections.remove(second.connection()));
        assertTrue(connections.isEmpty());
    }
}
