package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.time.NanoClock;

/**
 * Keeps what is told of one exchange: where its time went, and its line of the access log. Guarded
 * by the exchange's lock.
 */
final class ExchangeJournal {
    private final ExchangeRequest request;
    private final String context;
    private final NanoClock clock;
    private final long openedAt;
    private long since;
    private long queued;
    private long withPeer;
    private long firstByte;

    ExchangeJournal(ExchangeRequest request, String context, NanoClock clock) {
        this.request = request;
        this.context = context;
        this.clock = clock;
        openedAt = clock.nanos();
        since = openedAt;
    }

    /** The moment of the last entry, in nanoseconds of the clock. */
    long sinceNanos() {
        return since;
    }

    /** Books the time since the last entry on the state that ends now. */
    void leave(ExchangeState state, ExchangeState next) {
        long now = clock.nanos();
        if (state == ExchangeState.QUEUED) {
            queued += now - since;
        } else if (state == ExchangeState.SENT) {
            withPeer += now - since;
        }
        if (next.hasBegun()) {
            firstByte = now - openedAt;
        }
        since = now;
    }

    /** Books the time of a peer whose answer had started to the client before it was whole. */
    void peerDone() {
        long now = clock.nanos();
        withPeer += now - since;
        since = now;
    }

    /** The line of an exchange that has just left its last state. */
    ExchangeRecord record(
            @Nullable Attempt last,
            int status,
            @Nullable Failure failure,
            long requestBytes,
            int moves) {
        Tunnel tunnel = last == null ? null : last.tunnel();
        long answer = last == null ? 0 : last.delivered();
        return new ExchangeRecord(
                request.id(),
                request.client(),
                request.method(),
                request.sent(),
                context,
                peerName(last),
                last == null ? "" : last.slot().identity(),
                status,
                requestBytes + (tunnel == null ? 0 : tunnel.received()),
                answer + (tunnel == null ? 0 : tunnel.taken()),
                queued,
                withPeer,
                firstByte(status),
                since - openedAt,
                moves,
                request.way(),
                "",
                failure == null ? "answered" : failure.word(),
                request.envBlock().details());
    }

    /** An error is sent when the exchange ends. */
    private long firstByte(int status) {
        return firstByte == 0 && status > 0 ? since - openedAt : firstByte;
    }

    ExchangeStatus status(ExchangeState state, @Nullable Attempt last) {
        return new ExchangeStatus(
                request.id(),
                context,
                request.method(),
                request.target(),
                state,
                peerName(last),
                clock.nanos() - openedAt);
    }

    /** What the client was told; 0 for nothing. */
    static int statusOf(@Nullable Attempt last) {
        AnswerHead head = last == null ? null : last.head();
        return head == null ? 0 : head.status();
    }

    private static String peerName(@Nullable Attempt last) {
        return last == null ? "" : last.slot().peerName();
    }
}
