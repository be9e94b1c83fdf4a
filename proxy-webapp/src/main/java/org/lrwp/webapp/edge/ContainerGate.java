package org.lrwp.webapp.edge;

import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.lrwp.http1.MalformedRequestException;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Stands in the container's filters where they get the client's bytes, whoever reads these: an
 * event of the selector, or a servlet that waits for the body. Lets through what is of the present
 * request, in canonical form, and keeps the rest for the next one.
 */
final class ContainerGate extends BaseFilter {
    private final EdgeConnection connection;

    /**
     * Creates a gate.
     *
     * @param connection whose requests it lets through
     */
    ContainerGate(EdgeConnection connection) {
        this.connection = connection;
    }

    /** The filters of a connection, with this gate behind the socket and its TLS. */
    FilterChain before(FilterChain filters, EdgeLoop loop) {
        FilterChainBuilder builder = FilterChainBuilder.stateless().addAll(filters);
        builder.add(behindSocket(filters), this);
        TlsWire tls = connection.tls();
        if (tls != null) {
            builder.addFirst(new TlsFront(loop, connection, tls, connection::goOnDecrypted));
        }
        return builder.build();
    }

    /** The place of the first filter that gets the client's own bytes. */
    private static int behindSocket(FilterChain filters) {
        int place = 0;
        for (int i = 0; i < filters.size(); i++) {
            if (filters.get(i) instanceof TransportFilter
                    || filters.get(i) instanceof SSLBaseFilter) {
                place = i + 1;
            }
        }
        return place;
    }

    /**
     * Gives bytes for the client to the filters before it, which encrypt them. Any thread.
     *
     * @param bytes the caller's again when this returns
     */
    void encrypt(NIOConnection client, ByteBuffer bytes) {
        var plain = new PlainBytes(bytes);
        // The filter holds this monitor while it encrypts, also what it has kept for later.
        synchronized (client) {
            createContext(client, FilterChainContext.Operation.WRITE).write(plain);
            plain.settle();
        }
    }

    @Override
    public NextAction handleRead(FilterChainContext context) throws IOException {
        TlsWire tls = connection.tls();
        if (tls != null && isEdges(tls)) {
            tls.add(TlsWire.take(context));
            return context.getStopAction();
        }
        ContainerTurn turn = connection.isGated() ? connection.given() : null;
        if (turn == null) {
            if (!connection.isReadByContainer()) {
                return context.getInvokeAction();
            }
            connection.keep(TlsWire.take(context));
            return context.getStopAction();
        }
        ByteBuffer framed;
        try {
            framed = turn.more(TlsWire.take(context));
        } catch (MalformedRequestException e) {
            context.getConnection().closeSilently();
            throw new IOException(e);
        }
        if (!framed.hasRemaining()) {
            return context.getStopAction();
        }
        turn.whenRead().hear(context);
        context.setMessage(Buffers.wrap(context.getMemoryManager(), framed));
        return context.getInvokeAction();
    }

    /**
     * Whether the edge reads what was decrypted: always when it asked for it, and what comes with
     * the end of the handshake, on whatever thread that was done.
     */
    private boolean isEdges(TlsWire tls) {
        return tls.isReading() || (connection.isShaking() && !tls.isHttp2());
    }
}
