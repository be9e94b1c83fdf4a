package org.lrwp.webapp.container;

import org.glassfish.grizzly.CloseReason;
import org.glassfish.grizzly.CloseType;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.lrwp.engine.transport.tls.TlsReason;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Hears from a TLS filter how the handshakes of its clients end. Of a client that was heard it
 * tells once, whether it leaves amid its handshake, its time is over, or its filter tells. Any
 * thread.
 */
final class HandshakeWatch implements SSLBaseFilter.HandshakeListener {
    private final ClientReaders told;

    /** A name of its own: another copy of this application may have put its objects there. */
    private final Attribute<UnderWay> underWay =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(
                    "org.lrwp.handshake." + System.identityHashCode(this));

    HandshakeWatch(ClientReaders told) {
        this.told = told;
    }

    /** A handshake of a client that was heard. */
    private final class UnderWay extends EmptyCompletionHandler<CloseReason> {
        private final String client;
        private final AtomicBoolean ended = new AtomicBoolean();

        UnderWay(String client) {
            this.client = client;
        }

        boolean end() {
            return ended.compareAndSet(false, true);
        }

        @Override
        public void completed(CloseReason why) {
            if (end()) {
                told.handshakeRefused(
                        client,
                        why.getType() == CloseType.REMOTELY
                                ? "the client left amid the handshake"
                                : "the handshake was not over in time, or its connection broke");
            }
        }
    }

    @Override
    public void onStart(Connection<?> connection) {
        // Nothing has been read yet: who leaves now most likely only asks whether the port is open.
    }

    /** The client has said something: from now on its leaving is told too. Idempotent. */
    void heard(Connection<?> connection) {
        if (underWay.get(connection) == null) {
            var begun = new UnderWay(client(connection));
            underWay.set(connection, begun);
            connection.closeFuture().addCompletionHandler(begun);
        }
    }

    private static String client(Connection<?> connection) {
        ClientReader reader = ReaderStrategy.reader(connection);
        if (reader != null) {
            return reader.ends().remoteText();
        }
        return connection.getPeerAddress() instanceof InetSocketAddress remote
                ? remote.getAddress().getHostAddress()
                : "-";
    }

    @Override
    public void onComplete(Connection<?> connection) {
        if (ends(connection)) {
            told.handshakeDone();
        }
    }

    @Override
    public void onFailure(Connection<?> connection, Throwable fault) {
        refused(connection, TlsReason.of(fault));
    }

    /**
     * A client is refused before its handshake begins, or amid it.
     *
     * @param reason printable
     */
    void refused(Connection<?> connection, String reason) {
        String client = client(connection);
        if (ends(connection)) {
            told.handshakeRefused(client, reason);
        }
    }

    /** Whether nobody was told yet of the end of this handshake. */
    private boolean ends(Connection<?> connection) {
        UnderWay begun = underWay.get(connection);
        return begun == null || begun.end();
    }
}
