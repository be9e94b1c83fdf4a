package org.lrwp.download.file;

import java.io.IOException;

/** The file cannot be sent any more, though whoever it goes to is still there. */
public final class FileFaultException extends IOException {
    private static final long serialVersionUID = 1;

    FileFaultException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
