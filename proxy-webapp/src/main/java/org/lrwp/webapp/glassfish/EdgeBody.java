package org.lrwp.webapp.glassfish;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.http1.BodyReader;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.http1.MalformedRequestException;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The body of a request as it comes, without its chunks. The client is read again when all that has
 * come was taken, and whoever takes it asks for more: so at most one read waits here, and the
 * client is held back by its own connection. One thread at a time; {@link #isWhole} any.
 */
final class EdgeBody extends ServletInputStream {
    /** Bytes of chunk extensions and trailers of one body, whoever answers its request. */
    static final int MOST_OVERHEAD = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final EdgeConnection connection;
    private final @Nullable BodyReader reader;
    private ByteBuffer content = NOTHING;
    private @Nullable ReadListener listener;

    /** All of it has come; what of it is taken does not matter. */
    private volatile boolean whole;

    /** Somebody wants more than has come. */
    private volatile boolean awaited;

    private EdgeBody(EdgeConnection connection, @Nullable BodyReader reader) {
        this.connection = connection;
        this.reader = reader;
        this.whole = reader == null || reader.isWhole();
    }

    /** That of a request without one, or with one that nobody believes. */
    static EdgeBody none(EdgeConnection connection) {
        return new EdgeBody(connection, null);
    }

    /**
     * Creates a body.
     *
     * @param connection who sends it
     * @param head of its request
     * @param begin what has come behind the head; its position moves behind what is the body's
     * @throws BadRequestException when its chunks break a rule
     */
    static EdgeBody of(EdgeConnection connection, HttpHead head, ByteBuffer begin)
            throws BadRequestException {
        if (head.bodyLength() == 0) {
            return none(connection);
        }
        var body = new EdgeBody(connection, BodyReader.of(head, MOST_OVERHEAD));
        try {
            body.content = body.decode(begin);
        } catch (MalformedRequestException e) {
            throw BadRequestException.of(e);
        }
        return body;
    }

    /** Whether the client waits to be told that the body may come: RFC 9110 section 10.1.1. */
    boolean isAwaitedBy(HttpHead head) {
        int expect = head.find(KnownField.EXPECT);
        return !whole
                && expect >= 0
                && head.minorVersion() > 0
                && !content.hasRemaining()
                && head.isWord(head.value(expect), "100-continue");
    }

    /**
     * Copies the content out of bytes of the connection: whoever reads on after a pause may be
     * another thread, and the buffer in use again.
     */
    private ByteBuffer decode(ByteBuffer source) throws MalformedRequestException {
        BodyReader known = reader;
        if (known == null || whole) {
            return NOTHING;
        }
        ByteBuffer copy = NOTHING;
        for (ByteBuffer piece = known.next(source); piece != null; piece = known.next(source)) {
            if (copy.capacity() == 0) {
                copy = ByteBuffer.allocate(piece.remaining() + source.remaining());
            }
            copy.put(piece);
        }
        whole = known.isWhole();
        return copy.flip();
    }

    /** Whether all of it has come. */
    boolean isWhole() {
        return whole;
    }

    /** Cuts a buffer so that as little as possible of the next request is read with this body. */
    ByteBuffer limited(ByteBuffer buffer) {
        long missing = reader == null ? 0 : reader.missing();
        return missing < 0 ? buffer : buffer.limit((int) Math.min(buffer.capacity(), missing));
    }

    // ---- The client, on its loop, after it was asked for more.

    /** Bytes have come; the content is copied. */
    void come(ByteBuffer more) {
        awaited = false;
        try {
            content = decode(more);
        } catch (MalformedRequestException e) {
            breakOff(new IOException(e));
            return;
        }
        connection.keep(more);
        if (content.hasRemaining()) {
            tell();
        } else if (!whole) {
            // Only a part of a chunk's head: nobody has been given anything to take.
            await();
        }
        tellEnd();
    }

    /** Bytes have come that nobody wants. */
    void drop(ByteBuffer more) throws IOException {
        try {
            decode(more);
        } catch (MalformedRequestException e) {
            throw new IOException(e);
        }
        connection.keep(more);
    }

    /** The rest will never come. */
    void breakOff(IOException why) {
        ReadListener told = listener;
        if (told != null) {
            told.onError(why);
        }
    }

    private void tell() {
        ReadListener told = listener;
        if (told != null) {
            try {
                told.onDataAvailable();
            } catch (IOException e) {
                told.onError(e);
            }
        }
    }

    // ---- The reader.

    @Override
    public boolean isFinished() {
        return whole && !content.hasRemaining();
    }

    /** Asks the client for more when nothing is left. */
    @Override
    public boolean isReady() {
        if (content.hasRemaining()) {
            return true;
        }
        if (!whole) {
            await();
        }
        return false;
    }

    private void await() {
        if (!awaited) {
            awaited = true;
            connection.awaitBytes();
        }
    }

    /** Tells, once, that nothing more comes. */
    private void tellEnd() {
        ReadListener told = whole ? listener : null;
        if (told != null) {
            listener = null;
            try {
                told.onAllDataRead();
            } catch (IOException e) {
                told.onError(e);
            }
        }
    }

    @Override
    public void setReadListener(ReadListener told) {
        listener = told;
        tell();
        tellEnd();
    }

    @Override
    public int available() {
        return content.remaining();
    }

    @Override
    public int read() {
        return content.hasRemaining() ? content.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (!content.hasRemaining()) {
            return -1;
        }
        int count = Math.min(length, content.remaining());
        content.get(target, offset, count);
        return count;
    }
}
