package org.lrwp.webapp.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.Handover;
import org.lrwp.http1.MalformedRequestException;
import org.lrwp.sdk.SerialTask;
import org.lrwp.webapp.client.BodySink;
import org.lrwp.webapp.client.BodySource;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/**
 * Reads the body of a request as it arrives: in the container's calls, and when a peer that gets
 * the body as it comes has made room.
 *
 * <p>Purpose: the container's input knows one thread at a time, and with the end of the request it
 * is the next one's, maybe another client's. So reading has turns of its own: nobody reads while
 * somebody does, and nobody after the end, which has its turn behind who is reading. No thread
 * waits.
 */
final class ServletBody extends SerialTask implements BodySource, ReadListener {
    private static final System.Logger LOG = System.getLogger(ServletBody.class.getName());

    private static final int MOST_AT_ONCE = 16 * 1024;

    private final ServletInputStream in;
    private final ContainerLink link;
    private final BodySink sink;
    private final byte[] buffer;
    private final long length;
    private boolean cameWhole;
    private long read;
    private volatile boolean told;
    private volatile boolean whole;
    private volatile @Nullable Throwable broken;
    private volatile boolean paused;
    private volatile boolean ending;
    private volatile boolean ended;

    /**
     * Creates a source.
     *
     * @param in where the body comes from
     * @param link the container's request
     * @param length bytes of the body; -1 when unknown
     * @param sink gets the bytes
     */
    ServletBody(ServletInputStream in, ContainerLink link, long length, BodySink sink) {
        this.in = in;
        this.link = link;
        this.length = length;
        this.sink = sink;
        this.buffer = new byte[length < 0 ? MOST_AT_ONCE : Math.clamp(length, 1, MOST_AT_ONCE)];
    }

    /** Reads what is there, and has the container tell of the rest. Its thread calls it. */
    @Override
    public void start() throws IOException {
        cameWhole = link.hasWholeRequest();
        if (cameWhole && readAtOnce()) {
            whole = true;
            sink.changed();
        } else {
            in.setReadListener(this);
        }
    }

    /**
     * Reads a body that has come with its head: a listener would be told of it on a thread of the
     * container's pool, which costs more than all the rest of a small request.
     *
     * @return whether that was all of it
     */
    private boolean readAtOnce() throws IOException {
        boolean wanted = true;
        while (wanted && read < length && sink.hasRoom() && in.available() > 0) {
            wanted = readSome();
        }
        return read == length;
    }

    @Override
    public void onDataAvailable() {
        run();
    }

    @Override
    protected void turn() {
        if (ending) {
            ended = true;
            sink.changed();
            return;
        }
        try {
            read();
        } catch (IOException e) {
            broken = e;
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "body-not-read", e);
            broken = e;
        }
        if (!ending) {
            sink.changed();
        }
    }

    /** From here on the container's input is not touched. */
    @Override
    public boolean end() {
        if (!ended) {
            ending = true;
            run();
        }
        return ended;
    }

    @Override
    public void onAllDataRead() {
        told = true;
        // The last bytes may be left to who is reading, or wait for room.
        run();
    }

    @Override
    public void onError(Throwable reason) {
        broken = reason;
        sink.changed();
    }

    @Override
    public boolean isWhole() {
        return whole;
    }

    @Override
    public boolean isBroken() {
        return broken != null;
    }

    @Override
    public boolean isMalformed() {
        Throwable why = broken;
        return why != null && why.getCause() instanceof MalformedRequestException;
    }

    private void read() throws IOException {
        while (!isAtEnd() && hasRoom() && in.isReady()) {
            if (!readSome()) {
                return;
            }
        }
    }

    /** Reads once; says whether more is wanted. */
    private boolean readSome() throws IOException {
        int count = in.read(buffer);
        if (count < 0) {
            return false;
        }
        read += count;
        // The buffer is as long as a short body, and then not used again.
        Handover how = count == length ? Handover.GIVEN : Handover.COPIED;
        return sink.take(ByteBuffer.wrap(buffer, 0, count), how);
    }

    private boolean hasRoom() {
        boolean room = sink.hasRoom();
        // From here on a turn on another thread may read on: this one must not look again.
        paused = !room;
        return room;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The container does not call while nobody has asked it for more, so that this is its only
     * reader.
     */
    @Override
    public void resume() {
        if (paused && sink.hasRoom()) {
            paused = false;
            onDataAvailable();
        }
    }

    /**
     * Whether all of the body has been read. Nobody asks the container for more then: while it is
     * about to tell of the end, Grizzly would read on, into the next request, before this one is
     * over, and both would be lost; when it has told, it would tell once more, on a thread of its
     * pool, maybe when this request is over. Only if it has all and tells nothing it is asked.
     */
    private boolean isAtEnd() throws IOException {
        if (in.available() > 0) {
            return false;
        }
        if (told || hasReadWhatCameWhole()) {
            if (read < length) {
                // In HTTP/2 the container does not look: RFC 9113 section 8.1.1.
                throw new EOFException("the body is shorter than its Content-Length");
            }
            whole = true;
            return true;
        }
        return link.hasWholeRequest() && !in.isFinished();
    }

    /** The container has nothing more to tell of a body that has come with its head. */
    private boolean hasReadWhatCameWhole() {
        return cameWhole && (length < 0 || read == length);
    }
}
