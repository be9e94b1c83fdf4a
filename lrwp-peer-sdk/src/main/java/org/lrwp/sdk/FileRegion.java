package org.lrwp.sdk;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A part of an open file, as a part of an answer: the proxy has the kernel send it, and no octet of
 * it passes this process. The author implements it and closes the file, not before {@link
 * ExchangeListener#onDone()}.
 */
public interface FileRegion {
    /**
     * Returns its length.
     *
     * @return octets, at least 1; always the same
     */
    long length();

    /**
     * Sends octets to a channel, as many as it takes now. Called by threads of the proxy that may
     * wait for the disk, one at a time.
     *
     * @param from octets of this part that have been sent before, less than its length
     * @param most octets to send at most, at least 1; never more than are left of this part
     * @param target a socket that does not block
     * @return octets sent; 0 when the channel takes none now; -1 when the file cannot be sent any
     *     more: then the author has ended the exchange with {@link PeerExchange#abort}
     * @throws IOException when the channel is broken
     */
    long transferTo(long from, long most, WritableByteChannel target) throws IOException;
}
