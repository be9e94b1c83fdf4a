package org.lrwp.engine.peer.local;

import org.lrwp.engine.spool.FilePart;
import org.lrwp.sdk.FileRegion;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A module's part of a file, as the client's spool has it.
 *
 * @param region the module's
 */
record LocalFilePart(FileRegion region) implements FilePart {
    @Override
    public long length() {
        return region.length();
    }

    @Override
    public long transferTo(long from, long most, WritableByteChannel target) throws IOException {
        return region.transferTo(from, most, target);
    }
}
