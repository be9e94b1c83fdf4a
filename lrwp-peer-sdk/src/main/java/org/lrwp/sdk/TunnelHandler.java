package org.lrwp.sdk;

import java.io.InputStream;
import java.io.OutputStream;

/** Speaks another protocol with a client, both directions as blocking streams. */
@FunctionalInterface
public interface TunnelHandler {
    /**
     * Speaks with the client. Called on the thread of the request; may block. Another thread may
     * use the other stream. When it returns, the client sees the end of its input, and what the
     * client still sends is dropped; when it throws, the client's connection is cut.
     *
     * @param in what the client sends; ends where the client ends its output. Reading throws an
     *     {@code IOException} when the connection is lost
     * @param out what the client gets: on its way with each flush. Flushing waits while the client
     *     has enough; closing ends this direction only
     * @throws Exception for any failure
     */
    void handle(InputStream in, OutputStream out) throws Exception;
}
