package org.lrwp.sdk;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A part of an open file, as a part of an answer: the proxy has the kernel send it, and no byte of
 * it passes this process. The author implements it and closes the file, not before {@link
 * ExchangeListener#onDone()}.
 */
public interface FileRegion {
    /**
     * Returns its length.
     *
     * @return bytes, at least 1; always the same
     */
    long length();

    /**
     * Sends bytes to a channel, as many as it takes now. Called by threads of the proxy that may
     * wait for the disk, one at a time.
     *
     * @param from bytes of this part that have been sent before, less than its length
     * @param most bytes to send at most, at least 1; never more than are left of this part
     * @param target a socket that does not block
     * @return bytes sent; 0 when the channel takes none now; -1 when the file cannot be sent any
     *     more: then the author has ended the exchange with {@link PeerExchange#abort}
     * @throws IOException when the channel is broken
     */
    long transferTo(long from, long most, WritableByteChannel target) throws IOException;
}
