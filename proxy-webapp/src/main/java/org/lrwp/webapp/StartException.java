package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;

/** The application cannot start; its message is one sentence for whoever started it. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is wrong and what to do
     * @param cause where it was noticed; null when the message says it all
     */
    public StartException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
