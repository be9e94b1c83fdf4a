package org.lrwp.engine.request;

import org.lrwp.http1.MalformedRequestException;

/**
 * A request breaks HTTP in a way that must not reach a peer: its client gets 400, or a status that
 * says more. Without a stack trace, as a client can cause any number of them.
 */
public final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int BAD_REQUEST = 400;

    private final int status;

    /**
     * Creates the exception for status 400.
     *
     * @param reason which rule is broken, for the log; holds nothing that the client sent
     */
    public BadRequestException(String reason) {
        this(BAD_REQUEST, reason);
    }

    /**
     * Creates the exception.
     *
     * @param status HTTP status for the client, 400 to 505
     * @param reason which rule is broken, for the log; holds nothing that the client sent
     */
    BadRequestException(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    /**
     * Takes over what the reader has found.
     *
     * @param malformed what the reader says
     * @return the same rule and status
     */
    public static BadRequestException of(MalformedRequestException malformed) {
        return new BadRequestException(malformed.status(), String.valueOf(malformed.getMessage()));
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
