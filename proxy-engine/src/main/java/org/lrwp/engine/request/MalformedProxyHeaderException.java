package org.lrwp.engine.request;

/** A connection does not begin with a PROXY header. */
public final class MalformedProxyHeaderException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message the rule that was broken
     */
    public MalformedProxyHeaderException(String message) {
        super(message);
    }
}
