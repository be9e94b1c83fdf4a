package org.lrwp.webapp.edge;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/** How the bytes of a client come and go: by its socket, or through the container's TLS. */
interface ClientWire {
    /**
     * Reads what has come. On the loop.
     *
     * @param room bytes are put behind what it has
     * @return ready to be read: the room, or another buffer when that is too small for what had to
     *     be decrypted at once; null when the client sends nothing more
     * @throws IOException when the connection is broken
     */
    @Nullable ByteBuffer read(ByteBuffer room) throws IOException;

    /**
     * Writes what the system takes now; the container's queue gets the rest. One thread at a time.
     *
     * @param bytes ready to be read; the caller's again when this returns
     * @throws IOException when the client is gone
     */
    void write(ByteBuffer bytes) throws IOException;

    /** Tells the client that nothing more comes; what it sends is still read. Any thread. */
    void endOutput();

    /** Closes the connection when the client has all that was written. Any thread. */
    void close();
}
