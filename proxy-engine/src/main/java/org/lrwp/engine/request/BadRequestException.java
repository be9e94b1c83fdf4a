package org.lrwp.engine.request;

/** A request breaks HTTP in a way that must not reach a peer: its client gets 400. */
public final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param reason which rule is broken, for the log; holds nothing that the client sent
     */
    public BadRequestException(String reason) {
        super(reason);
    }
}
