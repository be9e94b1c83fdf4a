package org.lrwp.osp.token;

/** A key or certificate cannot be used. The message is one sentence for whoever starts the peer. */
public final class IdentityException extends Exception {
    private static final long serialVersionUID = 1L;

    IdentityException(String message) {
        super(message);
    }

    IdentityException(String message, Throwable cause) {
        super(message, cause);
    }
}
