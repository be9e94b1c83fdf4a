package org.lrwp.http1;

import java.util.Objects;

/**
 * A request that breaks a rule of HTTP. Nothing that follows it on its connection can be believed:
 * whoever answers it closes the connection. Without a stack trace, as a client can cause any number
 * of them.
 */
public final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Describes a broken rule.
     *
     * @param status HTTP status that tells the client: 400, 414, 431, 501 or 505
     * @param message the rule, for people
     */
    public MalformedRequestException(int status, String message) {
        super(Objects.requireNonNull(message, "message"), null, false, false);
        this.status = status;
    }

    /**
     * Returns the status for the client.
     *
     * @return HTTP status, 400 to 505
     */
    public int status() {
        return status;
    }
}
