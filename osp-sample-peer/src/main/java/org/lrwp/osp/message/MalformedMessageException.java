package org.lrwp.osp.message;

/** What arrived is not an OSP message, or is beyond a limit. The message is fit for the sender. */
public final class MalformedMessageException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is wrong, one sentence without a period
     */
    public MalformedMessageException(String message) {
        super(message);
    }

    MalformedMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
