package org.lrwp.osp.message;

/** A component is answered with a status that is no success. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Status status;

    /**
     * Creates the exception with the status's own description.
     *
     * @param status why, as a code
     */
    public RefusedException(Status status) {
        super(status.description());
        this.status = status;
    }

    /**
     * Creates the exception.
     *
     * @param status why, as a code
     * @param detail what exactly, a few words fit for the client
     */
    public RefusedException(Status status, String detail) {
        super(status.description() + ": " + detail);
        this.status = status;
    }

    /**
     * Returns the code of the refusal.
     *
     * @return never {@link Status#SUCCESS}
     */
    public Status status() {
        return status;
    }
}
