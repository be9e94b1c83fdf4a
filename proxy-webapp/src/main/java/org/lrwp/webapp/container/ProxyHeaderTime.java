package org.lrwp.webapp.container;

import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.nio.NIOConnection;

import java.time.InstantSource;

/**
 * How long a connection has for the PROXY header that it begins with. The time begins with the
 * connection: one that says nothing would else stay for as long as a client may be silent between
 * two requests.
 */
public final class ProxyHeaderTime extends BaseFilter {
    private final IdleTime idle;
    private final long millis;
    private volatile boolean over;

    private ProxyHeaderTime(IdleTime idle, long millis) {
        this.idle = idle;
        this.millis = millis;
    }

    /**
     * A connection has come; on the selector thread of its port. Those of peers have no header.
     *
     * @param connection of a client or a peer
     * @param millis milliseconds from now; then it is closed
     * @param clock the one that the container looks at
     * @param late told when it is closed for that; by any thread
     */
    public static void begin(
            NIOConnection connection, long millis, InstantSource clock, Runnable late) {
        if (!(connection.getProcessor() instanceof FilterChain filters)) {
            return;
        }
        var time = new ProxyHeaderTime(IdleTime.of(connection, 0, clock), millis);
        connection.setProcessor(FilterChainBuilder.stateless().add(time).addAll(filters).build());
        long end = clock.millis() + millis;
        WhenClosed.of(
                connection,
                () -> {
                    if (!time.over && clock.millis() >= end) {
                        late.run();
                    }
                });
    }

    /**
     * The header has come, or what is none.
     *
     * @param connection that it is of
     */
    public static void end(NIOConnection connection) {
        if (connection.getProcessor() instanceof FilterChain filters) {
            for (Object one : filters) {
                if (one instanceof ProxyHeaderTime time) {
                    time.over = true;
                }
            }
        }
    }

    @Override
    public NextAction handleAccept(FilterChainContext context) {
        // Who is added first is told last: behind the container's filter, which sets its own time.
        context.addCompletionListener(told -> idle.startFor(millis));
        return context.getInvokeAction();
    }
}
