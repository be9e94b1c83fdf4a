package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

import org.glassfish.grizzly.WriteHandler;
import org.glassfish.grizzly.http.io.NIOOutputStream;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * The body of an answer on its way to Grizzly. Grizzly blocks behind a write that it was not asked
 * about before; so it is asked before each.
 */
final class GrizzlyOutput extends ServletOutputStream {
    private final NIOOutputStream out;
    private @Nullable WriteListener listener;
    private volatile boolean waiting;

    GrizzlyOutput(NIOOutputStream out) {
        this.out = out;
    }

    @Override
    public boolean isReady() {
        if (out.canWrite()) {
            return true;
        }
        WriteListener told = listener;
        if (told != null && !waiting) {
            waiting = true;
            out.notifyCanWrite(new Wake(told));
        }
        return false;
    }

    @Override
    public void setWriteListener(WriteListener told) {
        listener = told;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        out.canWrite();
        out.write(octets, offset, length);
    }

    @Override
    public void flush() throws IOException {
        out.canWrite();
        out.flush();
    }

    /** Tells who waits, once. */
    private final class Wake implements WriteHandler {
        private final WriteListener told;

        Wake(WriteListener told) {
            this.told = told;
        }

        @Override
        public void onWritePossible() throws IOException {
            waiting = false;
            told.onWritePossible();
        }

        @Override
        public void onError(Throwable reason) {
            waiting = false;
            told.onError(reason);
        }
    }
}
