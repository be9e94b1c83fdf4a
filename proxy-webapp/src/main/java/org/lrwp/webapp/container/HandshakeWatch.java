package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.ssl.SSLBaseFilter;

/** Hears from a TLS filter how the handshakes of its clients end. */
final class HandshakeWatch implements SSLBaseFilter.HandshakeListener {
    private final ClientReaders told;

    HandshakeWatch(ClientReaders told) {
        this.told = told;
    }

    @Override
    public void onStart(Connection<?> connection) {
        // Its end will be told.
    }

    @Override
    public void onComplete(Connection<?> connection) {
        told.handshakeEnded(true);
    }

    @Override
    public void onFailure(Connection<?> connection, Throwable fault) {
        told.handshakeEnded(false);
    }
}
