package org.lrwp.sdk;

/**
 * Thrown by a handler that has not begun the work and never will. With {@link
 * PeerBuilder#repeatable} another peer of the context gets the request; else the proxy has been
 * told already that it was started, and the client gets 503 with Retry-After. {@link
 * PeerBuilder#admit} refuses earlier. On LRWP 1 and 2 it is always 503.
 */
public final class RequestRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param reason for the proxy's log
     */
    public RequestRefusedException(String reason) {
        super(reason);
    }

    /**
     * Returns the reason.
     *
     * @return for the proxy's log
     */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
