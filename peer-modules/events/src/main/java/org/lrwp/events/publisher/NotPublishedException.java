package org.lrwp.events.publisher;

import java.io.IOException;

/** An event was refused, or nobody took it for as long as it was tried. */
public final class NotPublishedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    NotPublishedException(int status, String message) {
        super(message);
        this.status = status;
    }

    /**
     * Returns what the module answered last.
     *
     * @return an HTTP status; 0 when there was no answer
     */
    public int status() {
        return status;
    }
}
