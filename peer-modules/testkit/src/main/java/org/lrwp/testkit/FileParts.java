package org.lrwp.testkit;

import org.lrwp.sdk.FileRegion;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/** Takes parts of files as the proxy does, a piece at a time. */
final class FileParts {
    private static final int MOST = 1 << 20;

    private FileParts() {}

    /** Takes all of a part, or as much as there is; blocks. */
    static void receive(FileRegion part, OutputStream target) {
        WritableByteChannel sink = Channels.newChannel(target);
        try {
            long got = 0;
            while (got < part.length() && got >= 0) {
                long more = part.transferTo(got, Math.min(MOST, part.length() - got), sink);
                got = more < 0 ? -1 : got + more;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
