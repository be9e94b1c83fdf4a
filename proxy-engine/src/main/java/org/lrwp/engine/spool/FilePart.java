package org.lrwp.engine.spool;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** A part of an open file that goes to a client without passing this process. */
public interface FilePart {
    /**
     * Returns its length.
     *
     * @return bytes, at least 1
     */
    long length();

    /**
     * Sends bytes to a channel, as many as it takes now; may wait for the disk. One thread at a
     * time.
     *
     * @param from bytes of this part that have been sent before
     * @param most bytes to send at most, at least 1; never more than are left of this part
     * @param target does not block
     * @return bytes sent; 0 when the channel takes none now; -1 when its owner gives it up, and
     *     breaks the answer off
     * @throws IOException when the channel is broken
     */
    long transferTo(long from, long most, WritableByteChannel target) throws IOException;
}
