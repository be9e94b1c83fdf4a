package org.lrwp.webapp.container;

import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.nio.NIOConnection;
import org.lrwp.webapp.client.AddressCounts;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;

/**
 * Counts clients' connections, and closes those that are too many as soon as the container has
 * registered them: before that a connection cannot be closed.
 */
public final class ClientDoor extends BaseFilter {
    private static final FilterChain SHUT =
            FilterChainBuilder.stateless().add(new ClientDoor()).build();

    private ClientDoor() {}

    /**
     * A client has come; on the selector thread of its port. Peers do not count.
     *
     * @param client its connection
     * @param counts how many of its address there are
     */
    public static void enter(NIOConnection client, AddressCounts counts) {
        if (!(client.getProcessor() instanceof FilterChain)
                || !(client.getChannel() instanceof SocketChannel socket)) {
            return;
        }
        InetAddress address = socket.socket().getInetAddress();
        if (address == null) {
            // It has left already.
            return;
        }
        if (!admits(client, address, counts)) {
            client.setProcessor(SHUT);
        }
    }

    /**
     * Counts a connection.
     *
     * @param client the connection; as long as it is open it counts
     * @param address of the client
     * @param counts how many of its address there are
     * @return false when there are too many
     */
    public static boolean admits(NIOConnection client, InetAddress address, AddressCounts counts) {
        return switch (counts.enter(address)) {
            case COUNTED -> {
                WhenClosed.of(client, () -> counts.leave(address));
                yield true;
            }
            case REFUSED -> false;
            case FREE -> true;
        };
    }

    @Override
    public NextAction handleAccept(FilterChainContext context) {
        return shut(context);
    }

    @Override
    public NextAction handleRead(FilterChainContext context) {
        return shut(context);
    }

    private static NextAction shut(FilterChainContext context) {
        context.getConnection().terminateSilently();
        return context.getStopAction();
    }
}
