package org.lrwp.engine.exchange;

/**
 * Follows one request on its way, for whoever wants to see where its time went. Most requests are
 * followed by nobody. Called by any thread; must not block.
 */
public interface RequestTrace {
    /** Nobody follows the request. */
    RequestTrace NONE =
            new RequestTrace() {
                @Override
                public RequestDetails on(RequestDetails details) {
                    return details;
                }
            };

    /**
     * Adds this to what is known of a request.
     *
     * @param details of the request
     * @return the same otherwise
     */
    default RequestDetails on(RequestDetails details) {
        return new TracedDetails(details, this);
    }

    /** The request is whole and wants a slot. */
    default void queued() {}

    /**
     * A slot has the request.
     *
     * @param slot of its peer
     */
    default void sent(Slot slot) {}

    /** The peer has said that it starts it. */
    default void started() {}

    /** The head of the peer's answer has come. */
    default void firstByte() {}

    /** The peer's answer is whole. */
    default void answered() {}

    /**
     * The request looks for another slot.
     *
     * @param why what became of it at the last one
     */
    default void retried(Failure why) {}

    /**
     * The request is over.
     *
     * @param record what happened
     */
    default void ended(ExchangeRecord record) {}

    /**
     * Returns the id of the trace, for logs and errors.
     *
     * @return 32 hexadecimal digits; empty when nobody follows the request
     */
    default String id() {
        return "";
    }

    /**
     * Returns what the peer gets as {@code traceparent} in place of the client's own: W3C Trace
     * Context.
     *
     * @return its value; empty when the client's fields are passed on
     */
    default String parent() {
        return "";
    }

    /**
     * Returns what the peer gets as {@code tracestate}.
     *
     * @return its value; empty for none
     */
    default String state() {
        return "";
    }
}
