package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Failure;

/**
 * The way of one {@link PeerCall} to its peer and back. It tells the call what the peer says; the
 * call tells it what becomes of the request. All but {@link #execute} happens in steps.
 */
public interface CallWire {
    /**
     * Runs a step behind those that were given before; never two at once.
     *
     * @param step what to do; from any thread, never blocks
     */
    void execute(Runnable step);

    /**
     * Sends the request.
     *
     * @param attempt what to send
     * @param now the engine's nanoseconds
     * @return why it cannot be sent; null when it is on its way
     */
    @Nullable Failure begin(Attempt attempt, long now);

    /** {@return whether the peer may have seen any of the request, so that it has to be told} */
    boolean isBegun();

    /**
     * Tells the peer that nobody waits any more; its end frees the slot.
     *
     * @param reason for the peer
     */
    void cancel(String reason);

    /**
     * Lets go of the request: the slot is about to be free.
     *
     * @param before the state before
     */
    void free(CallState before);

    /**
     * The request knows what has become of it.
     *
     * @param attempt the request
     */
    default void ended(Attempt attempt) {}

    /** {@return what the call waits for, while no slow client holds it up; from any thread} */
    CallWait waitsFor();
}
