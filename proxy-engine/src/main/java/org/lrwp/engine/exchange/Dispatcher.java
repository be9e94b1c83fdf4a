package org.lrwp.engine.exchange;

/** Finds peers for exchanges: a context, as its exchanges see it. Thread-safe, never blocks. */
public interface Dispatcher {
    /**
     * Returns the context's name.
     *
     * @return as users write it, for example {@code /osp}
     */
    String contextName();

    /**
     * Gives an exchange to a peer, now or when one is free, or fails it.
     *
     * @param exchange a new exchange whose body is whole
     */
    void submit(Exchange exchange);

    /**
     * Gives an exchange whose body is still arriving to a peer that wants it so, if one is free and
     * nobody waits; fails it when every peer has refused it. Without effect otherwise.
     *
     * @param exchange an exchange whose head is whole
     */
    void offer(Exchange exchange);

    /**
     * Takes back an exchange that its peer failed or refused; it goes before all others.
     *
     * @param exchange one that was submitted before
     */
    void resubmit(Exchange exchange);

    /**
     * Forgets an exchange that has ended while it was waiting.
     *
     * @param exchange one that was submitted before
     */
    void withdraw(Exchange exchange);

    /**
     * Books what a peer made of a request.
     *
     * @param instance the peer's process, see {@link Slot#instance()}
     * @param good false for an answer of status 500 or above, and for none
     */
    void tried(Object instance, boolean good);

    /**
     * A process begins to answer. Says by which tag the client comes back to it.
     *
     * @param instance the peer's process, see {@link Slot#instance()}
     * @param shown the tag that the client has shown; empty for none
     * @return the tag that the client needs; empty when it needs none
     */
    default String tagFor(Object instance, String shown) {
        return "";
    }

    /**
     * Counts how an exchange of this context ended.
     *
     * @param exchange what happened
     */
    void ended(ExchangeRecord exchange);
}
