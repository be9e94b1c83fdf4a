package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.peer.ContextRegistrar;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.ServedContext;

/**
 * Registers whatever a peer asks for.
 *
 * @param manager where
 * @param identity whose it is
 */
public record OpenRegistrar(ContextAssistantManager manager, String identity)
        implements ContextRegistrar {
    @Override
    public long turnNanos() {
        return 0;
    }

    @Override
    public @Nullable String register(PeerConnection connection, ServedContext context) {
        manager.register(connection, context, "test");
        return null;
    }

    @Override
    public void opened(PeerConnection connection) {
        manager.opened(connection);
    }

    @Override
    public void unregister(PeerConnection connection, ServedContext context) {
        manager.unregister(connection, context);
    }
}
