package org.lrwp.sdk.httpserver;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The body of a request. What is left unread is dropped with the exchange. */
final class RequestBody extends InputStream {
    private final ExchangeFlow flow;

    RequestBody(ExchangeFlow flow) {
        this.flow = flow;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return flow.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, target.length);
        return flow.read(target, offset, count);
    }

    @Override
    public int available() {
        return flow.available();
    }
}
