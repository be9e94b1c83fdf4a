package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * A body in chunks: RFC 9112 section 7.1. Extensions and trailers are checked and dropped.
 *
 * <pre>
 *   SIZE -> EXTENSION -> SIZE_FEED -> DATA -> DATA_RETURN -> DATA_FEED -> SIZE
 *                        size 0    -> TRAILER_NAME -> TRAILER_VALUE -> TRAILER_FEED -> TRAILER_NAME
 *                                     at CR        -> LAST_FEED -> WHOLE
 * </pre>
 */
final class ChunkedBody extends BodyReader {
    private enum State {
        SIZE,
        EXTENSION,
        SIZE_FEED,
        DATA,
        DATA_RETURN,
        DATA_FEED,
        TRAILER_NAME,
        TRAILER_VALUE,
        TRAILER_FEED,
        LAST_FEED,
        WHOLE
    }

    private static final int HEX_BITS = 4;
    private static final int MOST_DIGITS = 15;

    private final int mostOverhead;
    private final ChunkExtension extension = new ChunkExtension();
    private State state = State.SIZE;
    private long size;

    /** Of the size, without leading zeros; at least one behind the first digit. */
    private int digits;

    private boolean named;
    private int overhead;

    ChunkedBody(int mostOverhead) {
        if (mostOverhead < 1) {
            throw new IllegalArgumentException("limit of extensions and trailers: " + mostOverhead);
        }
        this.mostOverhead = mostOverhead;
    }

    @Override
    public @Nullable ByteBuffer next(ByteBuffer source) throws MalformedRequestException {
        while (source.hasRemaining() && state != State.WHOLE) {
            if (state == State.DATA) {
                return data(source);
            }
            take(source.get());
        }
        return null;
    }

    private ByteBuffer data(ByteBuffer source) {
        int count = (int) Math.min(size, source.remaining());
        ByteBuffer piece = source.slice(source.position(), count);
        source.position(source.position() + count);
        size -= count;
        if (size == 0) {
            state = State.DATA_RETURN;
        }
        return piece;
    }

    private void take(byte next) throws MalformedRequestException {
        switch (state) {
            case SIZE -> size(next);
            case EXTENSION -> extension(next);
            case SIZE_FEED -> {
                require(next == '\n', "size of a chunk ends without CR LF");
                state = size == 0 ? State.TRAILER_NAME : State.DATA;
            }
            case DATA_RETURN -> {
                require(next == '\r', "chunk is longer than its size");
                state = State.DATA_FEED;
            }
            case DATA_FEED -> {
                require(next == '\n', "chunk ends without CR LF");
                nextChunk();
            }
            case TRAILER_NAME -> trailerName(next);
            case TRAILER_VALUE -> trailerValue(next);
            case TRAILER_FEED -> {
                require(next == '\n', "trailer ends without CR LF");
                named = false;
                state = State.TRAILER_NAME;
            }
            case LAST_FEED -> {
                require(next == '\n', "body ends without CR LF");
                state = State.WHOLE;
            }
            case DATA, WHOLE -> throw new IllegalStateException("no byte is wanted: " + state);
        }
    }

    private void nextChunk() {
        size = 0;
        digits = 0;
        extension.reset();
        state = State.SIZE;
    }

    private void size(byte next) throws MalformedRequestException {
        int digit = Ascii.hex(next);
        if (digit >= 0) {
            if (size == 0 && digits > 0) {
                spend();
            } else {
                digits++;
            }
            require(digits <= MOST_DIGITS, "size of a chunk has more than 15 digits");
            size = (size << HEX_BITS) | digit;
            return;
        }
        require(digits > 0, "chunk without a size");
        if (next == '\r') {
            state = State.SIZE_FEED;
        } else {
            state = State.EXTENSION;
            extension(next);
        }
    }

    private void extension(byte next) throws MalformedRequestException {
        spend();
        boolean ends = next == '\r';
        require(
                ends ? extension.mayEnd() : extension.take(next),
                "what follows the size of a chunk is no extension");
        if (ends) {
            state = State.SIZE_FEED;
        }
    }

    private void trailerName(byte next) throws MalformedRequestException {
        if (next == '\r' && !named) {
            state = State.LAST_FEED;
        } else if (next == ':' && named) {
            state = State.TRAILER_VALUE;
        } else {
            spend();
            require(Ascii.TOKEN[next & 0xFF], "name of a trailer is not a token");
            named = true;
        }
    }

    private void trailerValue(byte next) throws MalformedRequestException {
        if (next == '\r') {
            state = State.TRAILER_FEED;
        } else {
            spend();
            require(Ascii.VALUE[next & 0xFF], "value of a trailer holds a control character");
        }
    }

    /** Clients must not keep the reader busy with what nobody wants. */
    private void spend() throws MalformedRequestException {
        overhead++;
        require(
                overhead <= mostOverhead,
                "extensions and trailers of the chunks are above " + mostOverhead + " bytes");
    }

    private static void require(boolean kept, String rule) throws MalformedRequestException {
        if (!kept) {
            throw new MalformedRequestException(400, rule);
        }
    }

    @Override
    public boolean isWhole() {
        return state == State.WHOLE;
    }

    @Override
    public long missing() {
        return isWhole() ? 0 : -1;
    }
}
