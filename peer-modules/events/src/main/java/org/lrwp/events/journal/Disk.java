package org.lrwp.events.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What makes things last when the machine goes down. Blocks. */
interface Disk {
    /** The disk of this machine. */
    Disk REAL = new Disk() {};

    /** Makes the content of a file last. */
    default void force(FileChannel file) throws IOException {
        file.force(false);
    }

    /** Makes the names in a folder last. */
    default void forceNames(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            // Windows opens no folder.
            return;
        }
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
