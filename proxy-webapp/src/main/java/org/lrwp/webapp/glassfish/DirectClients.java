package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.servlet.DirectFront;

import java.time.InstantSource;

/**
 * Says whether clients' connections are read before the container does, and who answers then. Shut
 * at first: connections that come before {@link #open} stay with the container. Thread-safe.
 */
public final class DirectClients {
    /** Who answers, and the octets of a body up to which nothing of its way can block. */
    record Service(DirectFront front, long mostBody) {}

    private volatile @Nullable Service service;

    private volatile @Nullable FileSenders senders;
    private final InstantSource clock;

    /**
     * Creates it shut.
     *
     * @param clock the one that the container looks at
     */
    public DirectClients(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Has connections that come from now on read here.
     *
     * @param front takes their requests
     * @param mostBody octets of a body that are kept in memory; longer ones are the container's
     */
    public void open(DirectFront front, long mostBody) {
        service = new Service(front, mostBody);
    }

    /** Gives what follows on all connections to the container. */
    public void shut() {
        service = null;
    }

    /**
     * Has files sent by these, of both fronts.
     *
     * @param senders run until the connections of all clients have been cut; null = no files from
     *     now on
     */
    public void sendFilesBy(@Nullable FileSenders senders) {
        this.senders = senders;
    }

    /** Null while no files are sent. */
    @Nullable FileSenders senders() {
        return senders;
    }

    InstantSource clock() {
        return clock;
    }

    /** Null while it is shut. */
    @Nullable Service service() {
        return service;
    }

    /** What reads a new connection; null when the container does. */
    @Nullable DirectClient of(
            NIOConnection connection, RunnerLoop loop, LazyReads reads, KeepAliveLimits limits) {
        return service == null ? null : DirectClient.of(connection, loop, reads, limits, this);
    }
}
