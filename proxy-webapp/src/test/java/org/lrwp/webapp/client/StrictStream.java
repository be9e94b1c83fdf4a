package org.lrwp.webapp.client;

import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.files.SendListener;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A client by a container that takes one write or flush at a time, as Jetty does, and fails when it
 * was not asked before whether it can.
 */
final class StrictStream implements ClientStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private boolean busy;
    private boolean asked;
    private boolean flushed;

    byte[] taken() {
        return taken.toByteArray();
    }

    boolean isFlushed() {
        return flushed;
    }

    void block() {
        busy = true;
    }

    void unblock() {
        busy = false;
    }

    @Override
    public boolean isWritable() {
        asked = !busy;
        return asked;
    }

    private void use() {
        if (!asked) {
            throw new IllegalStateException("isReady() not called");
        }
        asked = false;
        busy = true;
    }

    @Override
    public void write(ByteBuffer bytes) {
        use();
        if (!bytes.hasRemaining()) {
            throw new IllegalStateException("nothing to write");
        }
        flushed = false;
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        taken.writeBytes(copy);
    }

    @Override
    public void flush() {
        use();
        flushed = true;
    }

    @Override
    public void begin(AnswerHead head) {}

    @Override
    public boolean tellsPending() {
        return false;
    }

    @Override
    public long pendingBytes() {
        return 0;
    }

    @Override
    public void limitPending(int bytes) {}

    @Override
    public boolean sendsFiles() {
        return false;
    }

    @Override
    public boolean upgrades() {
        return false;
    }

    @Override
    public boolean endsAfter(int status) {
        return false;
    }

    @Override
    public void endAfterAnswer() {}

    @Override
    public void listener(ClientListener listener) {}

    @Override
    public void complete() {}

    @Override
    public void cut(boolean reset) {}

    @Override
    public String way() {
        return "strict";
    }

    @Override
    public BodySource body(long length, BodySink sink) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(AnswerHead head, ByteBuffer body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(FilePart part, SendListener progress) {
        throw new UnsupportedOperationException();
    }

    @Override
    public TunnelClient upgrade(AnswerHead head, Tunnel tunnel, Consumer<Boolean> whenOver) {
        throw new UnsupportedOperationException();
    }
}
