package org.lrwp.webapp.container;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.memory.Buffers;
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

    /**
     * Tells a client why there is no TLS with it; Grizzly only closes its connection. Holds no more
     * of a record than has come of it; Grizzly keeps a wide buffer for each byte that comes alone.
     */
    private static final class TellingFilter extends SSLFilter {
        private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

        /** Of a record: its type, its version, and where its length is. */
        private static final int HEADER = 5;

        private static final int LENGTH_AT = 3;

        private final ClientTls.Proof proof;

        TellingFilter(ClientTls clients) {
            this(clients.proof(), new Engines(clients.engines()));
        }

        private TellingFilter(ClientTls.Proof proof, SSLEngineConfigurator configurator) {
            super(configurator, configurator);
            this.proof = proof;
        }

        @Override
        public NextAction handleRead(FilterChainContext run) throws IOException {
            Buffer come = run.getMessage();
            if (isPart(come)) {
                ByteBuffer kept = ByteBuffer.allocate(come.remaining());
                come.get(kept);
                come.tryDispose();
                run.setMessage(Buffers.wrap(run.getMemoryManager(), kept.flip()));
            }
            return super.handleRead(run);
        }

        /** Whether the rest of a record has to be waited for; what is none is for TLS to see. */
        private static boolean isPart(Buffer come) {
            return come.remaining() < HEADER
                    || come.remaining()
                            < HEADER
                                    + Short.toUnsignedInt(
                                            come.getShort(come.position() + LENGTH_AT));
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

        /** Sends the alert, and what of the handshake comes before it. */
        private static void sendAlert(SSLEngine engine, Connection<?> connection)
                throws IOException {
            if (connection instanceof NIOConnection client
                    && client.getChannel() instanceof SocketChannel socket) {
                ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
                while (engine.wrap(NOTHING, record.clear()).bytesProduced() > 0) {
                    // A few bytes on a fresh connection; whoever does not take them is not told.
                    int _ = socket.write(record.flip());
                }
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
