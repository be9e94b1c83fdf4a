package org.lrwp.runtime;

/** An option has a value that cannot be used; the message is one sentence for the user. */
public final class BadOptionException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the option and what is wrong with it, without secrets
     */
    public BadOptionException(String message) {
        super(message);
    }
}
