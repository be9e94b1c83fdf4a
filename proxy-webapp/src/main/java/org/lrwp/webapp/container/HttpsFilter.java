package org.lrwp.webapp.container;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.memory.MemoryManager;
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
        var tls = new TellingFilter(clients, handshakes);
        tls.addHandshakeListener(handshakes);
        FilterChainBuilder builder = FilterChainBuilder.stateless().addAll(filters);
        builder.add(filters.indexOfType(TransportFilter.class) + 1, tls);
        return builder.build();
    }

    /** Has handshakes of a connection computed; null when its TLS is not ours. */
    static @Nullable IOStrategy strategy(FilterChain filters) {
        int index = filters.indexOfType(TellingFilter.class);
        return index < 0 ? null : ((TellingFilter) filters.get(index)).strategy;
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

        /** Bytes that may come while the first ones are read. */
        private static final int ROOM = 2048;

        private final ClientTls.Proof proof;
        private final HandshakeWatch handshakes;
        private final IOStrategy strategy;

        /** Of clients that have been answered; a name of its own as other copies may be there. */
        private final Attribute<Answer> answers =
                Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(
                        "org.lrwp.answer." + System.identityHashCode(this));

        /** What a client has been sent first. */
        private enum Answer {
            TLS,
            /** It is told to leave: what else it sends is dropped. */
            PLAIN
        }

        TellingFilter(ClientTls clients, HandshakeWatch handshakes) {
            this(clients, handshakes, new Engines(clients.engines()));
        }

        private TellingFilter(
                ClientTls clients, HandshakeWatch handshakes, SSLEngineConfigurator configurator) {
            super(configurator, configurator);
            this.proof = clients.proof();
            this.handshakes = handshakes;
            this.strategy = new HandshakeStrategy(clients.turns(), handshakes, answers::isSet);
        }

        @Override
        public NextAction handleRead(FilterChainContext run) throws IOException {
            Buffer come = run.getMessage();
            Answer answer = answers.get(run.getConnection());
            if (answer == null) {
                return readHello(run, come);
            }
            if (answer == Answer.PLAIN) {
                come.tryDispose();
                return run.getStopAction();
            }
            if (isPart(come)) {
                run.setMessage(narrow(run, come));
            }
            return super.handleRead(run);
        }

        private static Buffer narrow(FilterChainContext run, Buffer come) {
            ByteBuffer kept = ByteBuffer.allocate(come.remaining());
            come.get(kept);
            come.tryDispose();
            return Buffers.wrap(run.getMemoryManager(), kept.flip());
        }

        /** Computes nothing for a client that cannot use the answer. */
        private NextAction readHello(FilterChainContext run, Buffer come) throws IOException {
            Connection<?> connection = run.getConnection();
            handshakes.heard(connection);
            if (come.remaining() >= HEADER && PlainRequest.isBegun(come)) {
                come.tryDispose();
                answerPlain(connection);
                return run.getStopAction();
            }
            requireRecord(connection, come);
            if (isPart(come)) {
                return run.getStopAction(narrow(run, come));
            }
            if (hasLeft(run)) {
                handshakes.refused(connection, "the client left before its turn");
                connection.closeSilently();
                return run.getStopAction();
            }
            return super.handleRead(run);
        }

        private void requireRecord(Connection<?> connection, Buffer come) throws SSLException {
            try {
                SSLUtils.getSSLPacketSize(come);
            } catch (SSLException e) {
                handshakes.refused(connection, "the client does not speak TLS");
                throw e;
            }
        }

        /** Closing with unread bytes would reset the connection, and lose the answer. */
        private void answerPlain(Connection<?> connection) throws IOException {
            handshakes.refused(connection, PlainRequest.REASON);
            answers.set(connection, Answer.PLAIN);
            SocketChannel socket = socket(connection);
            if (socket != null) {
                // A few bytes on a fresh connection; whoever does not take them is not told.
                int _ = socket.write(PlainRequest.answer());
                socket.shutdownOutput();
            }
        }

        /**
         * Takes what else has come, and says whether nobody waits for an answer: a client that has
         * ended its side cannot finish the handshake.
         */
        private static boolean hasLeft(FilterChainContext run) {
            SocketChannel socket = socket(run.getConnection());
            if (socket == null) {
                return false;
            }
            try {
                ByteBuffer more = ByteBuffer.allocate(ROOM);
                int count = socket.read(more);
                if (count > 0) {
                    MemoryManager<?> memory = run.getMemoryManager();
                    Buffer first = run.getMessage();
                    Buffer next = Buffers.wrap(memory, more.flip());
                    run.setMessage(Buffers.appendBuffers(memory, first, next));
                }
                return count < 0;
            } catch (IOException reset) {
                return true;
            }
        }

        private static @Nullable SocketChannel socket(Connection<?> connection) {
            return connection instanceof NIOConnection client
                            && client.getChannel() instanceof SocketChannel socket
                    ? socket
                    : null;
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
                check(run.getConnection(), tls.getSslEngine());
                return rest;
            } catch (SSLException fault) {
                // Of what was proved the filter knows nothing.
                handshakes.onFailure(run.getConnection(), fault);
                sendAlert(tls.getSslEngine(), run.getConnection());
                throw fault;
            }
        }

        private void check(Connection<?> connection, SSLEngine engine) throws SSLException {
            boolean goesOn = SSLUtils.isHandshaking(engine);
            if (!goesOn || engine.getHandshakeSession() != null) {
                answers.set(connection, Answer.TLS);
            }
            if (goesOn) {
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
            SocketChannel socket = socket(connection);
            if (socket != null) {
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
