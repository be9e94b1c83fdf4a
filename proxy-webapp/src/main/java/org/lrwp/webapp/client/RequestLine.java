package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.exchange.SentTarget;
import org.lrwp.engine.request.RequestHead;

import java.util.Objects;

/**
 * What is kept of a request for its answer and its line in the access log.
 *
 * @param id the request id
 * @param client address of the client
 * @param method the request's method
 * @param sent its target
 * @param accepting says what answers it accepts
 * @param bodyLength bytes of its body; 0 = none; -1 = its end alone will tell
 * @param last whether the client wants no other answer on this connection
 * @param way who has read it
 * @param since when it arrived, in nanoseconds of the clock
 * @param details what the log may want beside
 */
public record RequestLine(
        String id,
        String client,
        String method,
        SentTarget sent,
        Accepting accepting,
        long bodyLength,
        boolean last,
        String way,
        long since,
        RequestDetails details) {
    /** Whoever knows the field Accept of a request, which errors alone ask for. */
    public interface Accepting {
        /**
         * Returns the field.
         *
         * @return its value; null when it is not there or not known
         */
        @Nullable String accept();
    }

    /** Checks that nothing is missing. */
    public RequestLine {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(sent, "sent");
        Objects.requireNonNull(accepting, "accepting");
        Objects.requireNonNull(way, "way");
        Objects.requireNonNull(details, "details");
    }

    static RequestLine of(BrokenRequest begin, String id, String way, long now) {
        return new RequestLine(
                id,
                begin.client(),
                begin.method(),
                begin::target,
                begin,
                begin.bodyLength(),
                true,
                way,
                now,
                RequestDetails.NONE);
    }

    /**
     * What is kept of a request.
     *
     * @param request its checked head, and its id
     * @param way who has read it
     * @param last whether the client wants no other answer on this connection
     * @param trace who follows it
     * @param now nanoseconds of the clock
     * @return the same without what is of no use for an answer
     */
    public static RequestLine of(
            CheckedRequest request, String way, boolean last, RequestTrace trace, long now) {
        RequestHead head = request.head();
        return new RequestLine(
                request.id(),
                head.connection().remoteText(),
                head.method(),
                head.target(),
                request,
                head.bodyLength(),
                last,
                way,
                now,
                trace.on(head));
    }

    /**
     * Whom an error is for.
     *
     * @return what its answer tells of the request
     */
    public ErrorAnswer.Asker asker() {
        return new ErrorAnswer.Asker(accepting.accept(), id, details.trace().id());
    }

    /**
     * The line of a request that is no exchange.
     *
     * @param status HTTP status sent
     * @param bytes of the body of the answer
     * @param reason a word
     * @param first when the answer began, in nanoseconds of the clock
     * @param now nanoseconds of the clock
     * @return the line
     */
    public ExchangeRecord record(int status, long bytes, String reason, long first, long now) {
        return new ExchangeRecord(
                id,
                client,
                method,
                sent,
                "",
                "",
                "",
                status,
                0,
                bytes,
                0,
                0,
                status == 0 ? 0 : first - since,
                now - since,
                0,
                way,
                "",
                reason,
                details);
    }
}
