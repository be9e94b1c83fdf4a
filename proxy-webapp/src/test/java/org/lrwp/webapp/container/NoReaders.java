package org.lrwp.webapp.container;

import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.files.FileSenders;

/** Leaves all clients to the container. */
class NoReaders implements ClientReaders {
    @Override
    public @Nullable ClientReader of(
            NIOConnection connection,
            RunnerLoop loop,
            LazyReads reads,
            ContainerListener listener) {
        return null;
    }

    @Override
    public void accepted(NIOConnection connection) {
        // Nobody is counted.
    }

    @Override
    public void handshakeDone() {
        // Nobody is counted.
    }

    @Override
    public void handshakeRefused(String client, String reason) {
        // Nobody is counted.
    }

    @Override
    public @Nullable FileSenders senders() {
        return null;
    }
}
