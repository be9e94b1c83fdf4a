package org.lrwp.engine.context;

import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.OpenRegistrar;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.PeerSettings;

import java.util.Map;
import java.util.Objects;

/** A context, and peers that take other protocols or do not. */
final class UpgradeScene {
    private final TestEngine engine = new TestEngine();
    private final ContextAssistantManager manager =
            new ContextAssistantManager(
                    new ContextConfigs(TestEngine.contextConfig(false), Map.of()),
                    engine.time(),
                    engine.time());
    private int peers;

    TestEngine engine() {
        return engine;
    }

    /** A peer without PING that takes protocols, and has read our settings. */
    MultiplexedPeer joins(int capacity, String protocols) {
        return joins(capacity, 65_536, protocols);
    }

    /** The same with a window. */
    MultiplexedPeer joins(int capacity, long window, String protocols) {
        MultiplexedPeer peer = unread(capacity, window, protocols);
        peer.frames();
        return peer;
    }

    /** One that has read nothing yet. */
    MultiplexedPeer joinsUnread(int capacity, String protocols) {
        return unread(capacity, 65_536, protocols);
    }

    private MultiplexedPeer unread(int capacity, long window, String protocols) {
        MultiplexedPeer peer =
                MultiplexedPeer.aPeer(engine, manager, new OpenRegistrar(manager, "test"), ++peers);
        manager.admit(peer.connection());
        peer.connection().start();
        var taken = UpgradeNames.of(protocols);
        peer.greets(new PeerSettings("", capacity, 65_536, window, true, false, false, taken, ""));
        return peer;
    }

    /** A client asks for the context and offers protocols. */
    Exchange offer(String protocols, Client client) {
        ContextMatch match = Objects.requireNonNull(manager.match("", "/osp"));
        return engine.offer(protocols, match.assistant(), client);
    }
}
