package org.lrwp.engine.testkit;

import org.lrwp.sdk.FileRegion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * A part of a file that is all zeros.
 *
 * @param length its bytes
 */
public record TestRegion(long length) implements FileRegion {
    private static final int MOST = 1000;

    @Override
    public long transferTo(long from, long most, WritableByteChannel target) throws IOException {
        return target.write(ByteBuffer.allocate((int) Math.min(MOST, most)));
    }
}
