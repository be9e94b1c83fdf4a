package org.lrwp.webapp.edge;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.ProcessorExecutor;
import org.glassfish.grizzly.filterchain.Filter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.container.LazyReads;

import java.nio.ByteBuffer;

/** Gives bytes that were read before the container could to its filters, as if it had read them. */
final class ContainerReads {
    private ContainerReads() {}

    /**
     * Has the container go on with a connection. On its loop.
     *
     * @param connection whose processor is a filter chain
     * @param gate in that chain: the filters behind it go on
     * @param bytes what was read; they are copied
     * @param done told when the container has answered the request that they begin; null = nobody
     * @param reads told of requests that begin and end with them
     */
    static void goOn(
            NIOConnection connection,
            Filter gate,
            ByteBuffer bytes,
            ContainerTurn.@Nullable Done done,
            LazyReads reads) {
        Buffer message = connection.getTransport().getMemoryManager().allocate(bytes.remaining());
        message.put(bytes);
        message.flip();
        // As of what it reads itself: the container gives it back when nobody needs it.
        message.allowBufferDispose(true);
        execute(connection, gate, message, done, reads);
    }

    private static void execute(
            NIOConnection connection,
            Filter gate,
            Buffer message,
            ContainerTurn.@Nullable Done done,
            @Nullable LazyReads reads) {
        var chain = (FilterChain) connection.getProcessor();
        FilterChainContext chained =
                chain.obtainFilterChainContext(
                        connection, 0, chain.size(), chain.indexOf(gate) + 1);
        chained.setMessage(message);
        Context context = chained.getInternalContext();
        context.setIoEvent(IOEvent.READ);
        // The connection may be read again before it comes back: the next request shuts it anew.
        if (reads != null) {
            context.addLifeCycleListener(reads);
        }
        if (done != null) {
            done.hear(chained);
        }
        ProcessorExecutor.execute(context);
    }

    /**
     * Tells the container that the next request begins, without a byte of it: it stops to count the
     * silence of the connection. On its loop.
     */
    static void wake(NIOConnection connection, Filter gate) {
        execute(connection, gate, Buffers.EMPTY_BUFFER, null, null);
    }
}
