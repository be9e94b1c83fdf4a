package org.lrwp.engine.spool;

/** Bytes cannot be kept: the limit on spooled bytes is reached, or the disk failed. */
public final class NoSpaceException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which limit, or what the disk said
     */
    public NoSpaceException(String message) {
        super(message);
    }

    /**
     * Creates the exception for a failure of the disk.
     *
     * @param message what was tried
     * @param cause what the disk said
     */
    public NoSpaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
