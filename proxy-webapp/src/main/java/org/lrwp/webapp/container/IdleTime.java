package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.utils.DelayedExecutor;
import org.glassfish.grizzly.utils.IdleTimeoutFilter;
import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/**
 * How long a connection may be silent between requests, for one that the container does not read
 * itself, or whose requests it does not know to be under way. The container sets the time when the
 * connection is made, looks at it every second, and closes the connection. Any thread.
 */
@SuppressWarnings("rawtypes") // As the container has them.
public final class IdleTime {
    private static final long FOREVER = Long.MAX_VALUE;

    private final NIOConnection connection;
    private final DelayedExecutor.@Nullable Resolver<Connection> watch;
    private final long millis;
    private final InstantSource clock;

    private IdleTime(
            NIOConnection connection,
            DelayedExecutor.@Nullable Resolver<Connection> watch,
            long millis,
            InstantSource clock) {
        this.connection = connection;
        this.watch = watch;
        this.millis = millis;
        this.clock = clock;
    }

    /**
     * The time of a connection.
     *
     * @param connection whose processor is a filter chain
     * @param millis how long it may be silent; 0 = for ever
     * @param clock the one that the container looks at
     * @return without effect when the container has no such time
     */
    public static IdleTime of(NIOConnection connection, long millis, InstantSource clock) {
        for (Object filter : (FilterChain) connection.getProcessor()) {
            if (filter instanceof IdleTimeoutFilter idle) {
                return new IdleTime(connection, idle.getResolver(), millis, clock);
            }
        }
        return new IdleTime(connection, null, millis, clock);
    }

    /** A request is being answered: it has limits of its own. */
    public void stop() {
        set(FOREVER);
    }

    /** The next request is waited for. */
    public void start() {
        set(millis == 0 ? FOREVER : clock.millis() + millis);
    }

    /**
     * It is closed after a time of its own.
     *
     * @param ownMillis milliseconds from now
     */
    public void startFor(long ownMillis) {
        set(clock.millis() + ownMillis);
    }

    /**
     * It is not closed sooner than after a time: its client waits for an answer.
     *
     * @param leastMillis milliseconds from now
     */
    void prolong(long leastMillis) {
        long least = clock.millis() + leastMillis;
        if (watch != null && watch.getTimeoutMillis(connection) < least) {
            set(least);
        }
    }

    private void set(long until) {
        if (watch != null) {
            watch.setTimeoutMillis(connection, until);
        }
    }
}
