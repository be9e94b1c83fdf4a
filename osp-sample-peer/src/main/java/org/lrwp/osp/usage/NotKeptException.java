package org.lrwp.osp.usage;

/** A usage record cannot be kept, so it is not confirmed either; the client has to try again. */
public final class NotKeptException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message why
     */
    public NotKeptException(String message) {
        super(message);
    }
}
