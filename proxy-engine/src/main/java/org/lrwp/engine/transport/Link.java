package org.lrwp.engine.transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One connection, bound to one loop thread, or to one until it is settled and then to another. Only
 * {@link #execute}, {@link #remote} and {@link #isOnLoop} may be used from other threads.
 */
public interface Link {
    /**
     * Returns the other end.
     *
     * @return where it comes from
     */
    PeerAddress remote();

    /**
     * Sets who is told of events from now on.
     *
     * @param events the new owner of the link
     */
    void events(LinkEvents events);

    /**
     * Says whether the calling thread is the link's loop, so that what it starts here needs no
     * other thread. May be asked by any thread.
     *
     * @return whether it is
     */
    boolean isOnLoop();

    /**
     * Returns a buffer for reading, shared by all links of the loop.
     *
     * @return empty, at least 16 KiB; valid until the caller gives the thread back
     */
    ByteBuffer scratch();

    /**
     * Reads what is there.
     *
     * @param target where it goes
     * @return bytes read, 0 when nothing is there, -1 at the end of input
     * @throws IOException when the connection failed
     */
    int read(ByteBuffer target) throws IOException;

    /**
     * Writes as much as the connection takes now.
     *
     * @param sources what to write, in this order
     * @return bytes written
     * @throws IOException when the connection failed
     */
    long write(ByteBuffer[] sources) throws IOException;

    /** Asks for one {@link LinkEvents#writable()} when the connection takes bytes again. */
    void awaitWritable();

    /**
     * Switches {@link LinkEvents#readable()} on or off; on at first.
     *
     * @param on whether to be told
     */
    void reading(boolean on);

    /**
     * Runs a task on the loop.
     *
     * @param task what to run; never dropped while the transport is open
     */
    void execute(Runnable task);

    /**
     * Lets the connection go to the loop where it is to stay: whoever is there is not to be kept by
     * those that only come. Once; the owner does nothing more with it until it may go on.
     *
     * @param then goes on, on the loop; called at once where the connection is there already
     */
    default void settle(Runnable then) {
        then.run();
    }

    /**
     * Acknowledges at once what has been read, where the system can. A sender that writes a little
     * and then more would else wait for the delayed acknowledgement of its first bytes.
     */
    void acknowledge();

    /**
     * Returns what TLS knows of the connection.
     *
     * @return null for a plain connection, and until the TLS handshake is over
     */
    default @Nullable LinkSecurity security() {
        return null;
    }

    /** Ends the output; the other side sees the end of its input. */
    void shutdownOutput();

    /** Closes the connection. Idempotent; no event follows. */
    void close();
}
