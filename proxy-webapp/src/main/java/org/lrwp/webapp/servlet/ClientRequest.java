package org.lrwp.webapp.servlet;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.request.RequestHead;

import java.util.Objects;

/**
 * What is kept of a request for its answer and its line in the access log, as the container's
 * object cannot be asked later.
 *
 * @param id the request id
 * @param client address of the client
 * @param method the request's method
 * @param target its target as it was sent
 * @param accept its Accept field
 * @param bodyLength octets of its body; 0 = none; -1 = its end alone will tell
 * @param last whether the client wants no other answer on this connection
 * @param since when it arrived, in nanoseconds of the clock
 */
record ClientRequest(
        String id,
        String client,
        String method,
        String target,
        @Nullable String accept,
        long bodyLength,
        boolean last,
        long since) {
    ClientRequest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(target, "target");
    }

    static ClientRequest of(RequestHead head, ClientLink link, String id, long now) {
        return new ClientRequest(
                id,
                head.connection().remoteText(),
                head.method(),
                head.target().raw(),
                head.first("Accept"),
                head.bodyLength(),
                LastAnswer.isEnding(head, link),
                now);
    }

    /**
     * The line of a request that is no exchange.
     *
     * @param status HTTP status sent
     * @param octets of the body of the answer
     * @param reason a word
     */
    ExchangeRecord record(int status, long octets, String reason, long now) {
        return new ExchangeRecord(
                id,
                client,
                method,
                target,
                "",
                "",
                status,
                0,
                octets,
                0,
                0,
                now - since,
                0,
                reason);
    }
}
