package org.lrwp.runtime.module;

import org.lrwp.sdk.ExchangeHandler;

import java.util.List;

/**
 * A module that runs.
 *
 * <pre>
 *   open --> requests --> drain() --> the last answers --> close()
 * </pre>
 */
public interface PeerModule extends AutoCloseable {
    /**
     * Returns what answers the requests.
     *
     * @return always the same handler
     */
    ExchangeHandler handler();

    /**
     * Says whether handler and listeners may be called on the very thread that brings the request
     * or has taken bytes of the answer, when the module runs inside the proxy. That saves two
     * hand-offs for each request, but the thread serves many other clients: such a module promises
     * to wait for nothing, not even for a disk, and to return within microseconds. Otherwise each
     * exchange has a virtual thread of its own while it is called, and a handler that blocks after
     * all costs only its own request.
     *
     * @return whether it promises that
     */
    default boolean isPrompt() {
        return false;
    }

    /**
     * Returns what there is to count.
     *
     * @return the figures of this moment, always the same names in the same order; cheap, any
     *     thread
     */
    default List<Figure> figures() {
        return List.of();
    }

    /**
     * Returns what operators can have it do.
     *
     * @return its actions, always the same
     */
    default List<Action> actions() {
        return List.of();
    }

    /**
     * Says that the module is about to end: no new request comes, and those that wait for something
     * should be answered, with {@code Retry-After}. Returns at once; called at most once, any
     * thread.
     */
    default void drain() {}

    /** Gives everything back. After the last answer, or when the time for it is over. */
    @Override
    void close();
}
