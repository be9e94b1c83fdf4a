package org.lrwp.webapp.glassfish;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;

import org.glassfish.grizzly.http.io.NIOInputStream;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** The body of a request, all of which has come. */
final class GrizzlyInput extends ServletInputStream {
    private final NIOInputStream in;
    private @Nullable ReadListener listener;

    GrizzlyInput(NIOInputStream in) {
        this.in = in;
    }

    @Override
    public boolean isFinished() {
        return in.readyData() == 0;
    }

    /** Tells the end to its listener, once, when there is nothing more to read. */
    @Override
    public boolean isReady() {
        if (in.readyData() > 0) {
            return true;
        }
        ReadListener told = listener;
        listener = null;
        if (told != null) {
            try {
                told.onAllDataRead();
            } catch (IOException e) {
                told.onError(e);
            }
        }
        return false;
    }

    @Override
    public void setReadListener(ReadListener told) {
        listener = told;
        try {
            told.onDataAvailable();
        } catch (IOException e) {
            told.onError(e);
        }
    }

    @Override
    public int available() {
        return in.readyData();
    }

    @Override
    public int read() throws IOException {
        return in.readyData() == 0 ? -1 : in.read();
    }

    @Override
    public int read(byte[] octets, int offset, int length) throws IOException {
        return in.readyData() == 0 ? -1 : in.read(octets, offset, length);
    }
}
