package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/** A body whose length is known. */
final class SizedBody extends BodyReader {
    private long missing;

    SizedBody(long length) {
        this.missing = length;
    }

    @Override
    public @Nullable ByteBuffer next(ByteBuffer source) {
        int count = (int) Math.min(missing, source.remaining());
        if (count == 0) {
            return null;
        }
        ByteBuffer piece = source.slice(source.position(), count);
        source.position(source.position() + count);
        missing -= count;
        return piece;
    }

    @Override
    public boolean isWhole() {
        return missing == 0;
    }

    @Override
    public long missing() {
        return missing;
    }
}
