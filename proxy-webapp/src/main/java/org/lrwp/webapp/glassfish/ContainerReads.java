package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.ProcessorExecutor;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.nio.NIOConnection;

import java.nio.ByteBuffer;

/**
 * Gives octets that were read before the container could to its filters, as if it had read them.
 */
final class ContainerReads {
    private ContainerReads() {}

    /**
     * Has the container go on with a connection. On its loop.
     *
     * @param connection whose processor is a filter chain
     * @param octets what was read; they are copied
     * @param reads told of the requests that begin and end with them
     */
    static void goOn(NIOConnection connection, ByteBuffer octets, LazyReads reads) {
        var chain = (FilterChain) connection.getProcessor();
        Buffer message = connection.getTransport().getMemoryManager().allocate(octets.remaining());
        message.put(octets);
        message.flip();
        // As of what it reads itself: the container gives it back when nobody needs it.
        message.allowBufferDispose(true);
        FilterChainContext chained =
                chain.obtainFilterChainContext(connection, 0, chain.size(), behindSocket(chain));
        chained.setMessage(message);
        Context context = chained.getInternalContext();
        context.setIoEvent(IOEvent.READ);
        context.addLifeCycleListener(reads);
        ProcessorExecutor.execute(context);
    }

    /** The place of the first filter that does not read the socket. */
    private static int behindSocket(FilterChain chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (chain.get(i) instanceof TransportFilter) {
                return i + 1;
            }
        }
        return 0;
    }
}
