package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.util.List;

/** How the contexts of an LRWP 3 connection come and go. */
class Lrwp3RegisterTest {
    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();

    private MultiplexedPeer peer(PeerSettings settings) {
        return MultiplexedPeer.anOpenPeer(engine, work, settings);
    }

    @Test
    void contextsComeAndGoOnAnOpenConnection() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        peer.sends(FrameType.REGISTER, 0, "tep\u00ffhost\u00ff");
        peer.sends(FrameType.REGISTER, 0, "tep\u00ffhost\u00ff");
        peer.sends(FrameType.REGISTER, 0, "\u00ff\u00ff");
        peer.sends(FrameType.REGISTER, 0, "x".repeat(201) + "\u00ff\u00ff");
        assertEquals(
                List.of(
                        "0 REGISTERED tep\u00ffhost\u00ff\u00ff",
                        "0 REGISTERED tep\u00ffhost\u00ff\u00ff",
                        "0 REGISTERED \u00ff\u00ffERROR: Empty application name\u00ff",
                        "0 REGISTERED "
                                + "x".repeat(201)
                                + "\u00ff\u00ffERROR: Registration component too long\u00ff"),
                peer.frames());
        assertEquals(
                List.of(new ServedContext("/osp", ""), new ServedContext("/tep", "host")),
                peer.connection().status().contexts());

        peer.sends(FrameType.UNREGISTER, 0, "/tep\u00ffhost\u00ff");
        peer.sends(FrameType.UNREGISTER, 0, "none\u00ff\u00ff");
        peer.sends(FrameType.UNREGISTER, 0, "\u00ff\u00ff");
        assertEquals(3, peer.frames().size());
        assertEquals(1, peer.connection().status().contexts().size());
    }

    @Test
    void aConnectionServesOnlySoManyContexts() {
        MultiplexedPeer peer = peer(MultiplexedPeer.settings(1));
        for (int i = 0; i < 5; i++) {
            peer.sends(FrameType.REGISTER, 0, "c" + i + "\u00ff\u00ff");
        }
        assertEquals(
                "0 REGISTERED c4\u00ff\u00ffERROR: More than 5 contexts on one connection\u00ff",
                peer.frames().getLast());
    }
}
