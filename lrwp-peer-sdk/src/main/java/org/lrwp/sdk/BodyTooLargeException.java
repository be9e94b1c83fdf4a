package org.lrwp.sdk;

import java.io.IOException;

/** A body of unknown length has passed the peer's limit. */
final class BodyTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    BodyTooLargeException() {
        super("body too large");
    }
}
