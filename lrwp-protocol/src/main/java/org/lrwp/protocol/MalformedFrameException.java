package org.lrwp.protocol;

/**
 * The other side sent bytes that the protocol does not allow.
 *
 * <p>The message names the rule and the limit, never the bytes themselves: whoever logs it adds
 * them escaped.
 */
public final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the rule that was broken, with the limit where there is one
     */
    public MalformedFrameException(String message) {
        super(message);
    }
}
