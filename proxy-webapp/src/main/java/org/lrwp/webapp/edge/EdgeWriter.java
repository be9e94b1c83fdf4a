package org.lrwp.webapp.edge;

import org.glassfish.grizzly.WriteHandler;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.container.ConnectionCut;
import org.lrwp.webapp.container.ContainerQueue;
import org.lrwp.webapp.container.SocketFiles;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;

/**
 * Writes to a client past what the container does with answers: what the system takes goes to it at
 * once, the rest into the container's queue. One thread at a time, {@link #cut} by any; never
 * blocks.
 */
final class EdgeWriter {
    private static final System.Logger LOG = System.getLogger(EdgeWriter.class.getName());
    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final NIOConnection connection;
    private final ClientWire wire;
    private final EdgeLoop loop;

    /** The container closes it some time later: nothing may be written until then. */
    private volatile boolean cut;

    /** Made for the first file. */
    private volatile @Nullable SocketFiles files;

    /**
     * Creates a writer.
     *
     * @param connection of a socket
     * @param wire takes its bytes
     * @param loop its loop
     */
    EdgeWriter(NIOConnection connection, ClientWire wire, EdgeLoop loop) {
        this.connection = connection;
        this.wire = wire;
        this.loop = loop;
    }

    /**
     * The buffer of the calling thread's loop if it has one and it is wide enough, else a new one.
     */
    ByteBuffer room(int bytes) {
        EdgeLoop here = bytes <= EdgeLoop.BUFFER_SIZE ? loop.here() : null;
        return here == null ? ByteBuffer.allocate(bytes) : here.answer();
    }

    /** For the head of the present answer. */
    HeadText text() {
        EdgeLoop here = loop.here();
        return here == null ? new HeadText() : here.text();
    }

    /**
     * Writes what the system takes now; the container's queue gets the rest.
     *
     * @param bytes ready to be read; the caller's again when this returns
     * @throws IOException when the client is gone
     */
    void write(ByteBuffer bytes) throws IOException {
        if (cut) {
            throw new ClosedChannelException();
        }
        try {
            wire.write(bytes);
        } catch (IOException e) {
            connection.terminateSilently();
            throw e;
        }
    }

    /** Tells a client that waits with its body to send it: RFC 9110 section 10.1.1. */
    void tellToContinue() {
        try {
            write(room(CONTINUE.length).put(CONTINUE).flip());
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "client-not-told", gone);
        }
    }

    /** Limits the queue. */
    void limitPending(int bytes) {
        connection.setMaxAsyncWriteQueueSize(bytes);
    }

    /** Whether the queue is short enough for more. */
    boolean canWrite() {
        return connection.canWrite();
    }

    /** Has somebody told, once, when {@link #canWrite} is true again. */
    void notifyCanWrite(WriteHandler told) {
        connection.notifyCanWrite(told);
    }

    /** Bytes that the system has not taken, of a file too. */
    long pendingBytes() {
        SocketFiles known = files;
        return ContainerQueue.bytes(connection) + (known == null ? 0 : known.left());
    }

    /** Has a part of a file sent behind all that was written. */
    void send(FileSenders senders, FilePart part, SendListener listener) {
        SocketFiles known = files;
        if (known == null) {
            known = SocketFiles.of(connection, senders);
            files = known;
        }
        if (cut) {
            listener.ended(SendEnd.GONE);
        } else {
            known.send(part, listener);
        }
    }

    /** Runs something when the system has taken all bytes; at once when it has. */
    void whenTaken(Runnable then) {
        ContainerQueue.whenTaken(connection, then);
    }

    /** Ends the connection; nothing is written any more. */
    void cut(boolean reset) {
        cut = true;
        SocketFiles known = files;
        if (known != null) {
            known.withdraw();
        }
        ConnectionCut.cut(connection, reset);
    }

    boolean isCut() {
        return cut;
    }
}
