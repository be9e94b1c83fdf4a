package org.lrwp.files;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** A file is not this user's alone; nothing of it was used or changed. */
public final class UnsafeFileException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param file which one
     * @param why a sentence's end that follows its name
     */
    UnsafeFileException(Path file, String why) {
        super(file + " " + why);
    }
}
