package org.lrwp.download.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What was found at a path, with its files held open, so that what is said of them and what is sent
 * are of the same file whatever happens to the path meanwhile. Of one thread, which closes it.
 */
public final class Look implements AutoCloseable {
    private final Found found;
    private final List<OpenFile> held;
    private final OpenFiles files;

    Look(Found found, List<OpenFile> held, OpenFiles files) {
        this.found = found;
        this.held = new ArrayList<>(held);
        this.files = files;
    }

    /**
     * Returns what is there.
     *
     * @return a file, a folder, or nothing
     */
    public Found found() {
        return found;
    }

    /**
     * Opens a file that was found; blocks when it is kept in memory.
     *
     * @param version of what was found
     * @return the file, for the caller to close; stays open beyond this look
     * @throws IOException when it is kept in memory and was replaced on the disk; never for others
     */
    public OpenFile open(FileVersion version) throws IOException {
        for (OpenFile file : held) {
            if (file.version().equals(version.withContent(null))) {
                return files.share(file);
            }
        }
        return files.open(version);
    }

    /** Lets the files go, but for those that were opened; may be called again. */
    @Override
    public void close() {
        held.forEach(OpenFile::close);
        held.clear();
    }
}
