package org.lrwp.webapp.container;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.ssl.SSLConnectionContext;
import org.glassfish.grizzly.ssl.SSLEngineConfigurator;
import org.glassfish.grizzly.ssl.SSLFilter;
import org.glassfish.grizzly.ssl.SSLUtils;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** Puts TLS of our own before the filters of one of the container's listeners without TLS. */
final class HttpsFilter {
    private HttpsFilter() {}

    /** The same filters, behind TLS. */
    static FilterChain before(FilterChain filters, ClientTls clients, HandshakeWatch handshakes) {
        var tls = new TellingFilter(clients);
        tls.addHandshakeListener(handshakes);
        FilterChainBuilder builder = FilterChainBuilder.stateless().addAll(filters);
        builder.add(filters.indexOfType(TransportFilter.class) + 1, tls);
        return builder.build();
    }

    /** Tells a client why there is no TLS with it; Grizzly only closes its connection. */
    private static final class TellingFilter extends SSLFilter {
        private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

        private final ClientTls.Proof proof;

        TellingFilter(ClientTls clients) {
            this(clients.proof(), new Engines(clients.engines()));
        }

        private TellingFilter(ClientTls.Proof proof, SSLEngineConfigurator configurator) {
            super(configurator, configurator);
            this.proof = proof;
        }

        @Override
        protected @Nullable Buffer doHandshakeStep(
                SSLConnectionContext tls,
                FilterChainContext run,
                @Nullable Buffer input,
                @Nullable Buffer spare)
                throws IOException {
            try {
                Buffer rest = super.doHandshakeStep(tls, run, input, spare);
                check(tls.getSslEngine());
                return rest;
            } catch (SSLException fault) {
                sendAlert(tls.getSslEngine(), run.getConnection());
                throw fault;
            }
        }

        private void check(SSLEngine engine) throws SSLException {
            if (SSLUtils.isHandshaking(engine)) {
                return;
            }
            try {
                proof.check(engine.getSession());
            } catch (SSLException e) {
                // TLS is in order, so that it has no alert to send but that of the end.
                engine.closeOutbound();
                throw e;
            }
        }

        private static void sendAlert(SSLEngine engine, Connection<?> connection)
                throws IOException {
            ByteBuffer alert = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(NOTHING, alert);
            if (connection instanceof NIOConnection client
                    && client.getChannel() instanceof SocketChannel socket) {
                // A few bytes on a fresh connection; whoever does not take them is not told.
                int _ = socket.write(alert.flip());
            }
        }
    }

    /** Asks for an engine for each connection. */
    private static final class Engines extends SSLEngineConfigurator {
        private final Supplier<SSLEngine> engines;

        Engines(Supplier<SSLEngine> engines) {
            this.engines = engines;
        }

        @Override
        public SSLEngine createSSLEngine() {
            return engines.get();
        }

        @Override
        public SSLEngine createSSLEngine(String peerHost, int peerPort) {
            return engines.get();
        }

        /** It has nothing that can be changed. */
        @Override
        public SSLEngineConfigurator copy() {
            return this;
        }
    }
}
