package org.lrwp.download.file;

import java.io.IOException;

/** Another file, or another content, has come to the place of the one that was looked at. */
public final class ReplacedException extends IOException {
    private static final long serialVersionUID = 1;

    ReplacedException(String message) {
        super(message);
    }
}
