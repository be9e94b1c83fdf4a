package org.lrwp.webapp.client;

import org.lrwp.engine.exchange.ExchangeRecord;

import java.util.function.UnaryOperator;

/**
 * The line in the access log of a request that has no exchange, which is written once. For one turn
 * of its client at a time.
 */
final class AccessEntry {
    private final RequestLine request;
    private final ClientSettings settings;
    private UnaryOperator<ExchangeRecord> completed = UnaryOperator.identity();
    private long first;
    private boolean begun;
    private boolean written;

    AccessEntry(RequestLine request, ClientSettings settings) {
        this.request = request;
        this.settings = settings;
    }

    /** Sets who adds what the client does not know. */
    void completedBy(UnaryOperator<ExchangeRecord> other) {
        completed = other;
    }

    /** The answer begins. */
    void begins() {
        begun = true;
        first = settings.clock().nanos();
    }

    /**
     * Writes the line, unless it is written.
     *
     * @param status HTTP status sent, 0 for none
     * @param bytes of the body of the answer
     * @param how a word
     */
    void write(int status, long bytes, String how) {
        if (!written) {
            written = true;
            long now = settings.clock().nanos();
            ExchangeRecord line = request.record(status, bytes, how, begun ? first : now, now);
            settings.log().ended(completed.apply(line));
        }
    }
}
