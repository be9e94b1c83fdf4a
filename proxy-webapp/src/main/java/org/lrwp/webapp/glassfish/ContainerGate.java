package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.memory.Buffers;
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

    private ContainerGate(EdgeConnection connection) {
        this.connection = connection;
    }

    /** The filters of a connection, with a gate of its own behind the socket. */
    static FilterChain before(FilterChain filters, EdgeConnection connection) {
        FilterChainBuilder builder = FilterChainBuilder.stateless().addAll(filters);
        builder.add(behindSocket(filters), new ContainerGate(connection));
        return builder.build();
    }

    /** The place of the first filter that does not read the socket. */
    private static int behindSocket(FilterChain filters) {
        for (int i = 0; i < filters.size(); i++) {
            if (filters.get(i) instanceof TransportFilter) {
                return i + 1;
            }
        }
        return 0;
    }

    @Override
    public NextAction handleRead(FilterChainContext context) throws IOException {
        ContainerTurn turn = connection.isGated() ? connection.turn() : null;
        if (turn == null) {
            return context.getInvokeAction();
        }
        Buffer message = context.getMessage();
        ByteBuffer raw = ByteBuffer.allocate(message.remaining());
        message.get(raw);
        message.tryDispose();
        ByteBuffer framed;
        try {
            framed = turn.more(raw.flip());
        } catch (MalformedRequestException e) {
            context.getConnection().closeSilently();
            throw new IOException(e);
        }
        if (!framed.hasRemaining()) {
            return context.getStopAction();
        }
        context.getInternalContext().addLifeCycleListener(turn.whenRead());
        context.setMessage(Buffers.wrap(context.getMemoryManager(), framed));
        return context.getInvokeAction();
    }
}
