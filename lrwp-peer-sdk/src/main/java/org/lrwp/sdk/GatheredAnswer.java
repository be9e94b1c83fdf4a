package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.LengthField;
import org.lrwp.sdk.spi.Refusals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An answer for a connection of LRWP 1 or 2, whose frame says its length first: it is kept until it
 * is whole. Thread-safe.
 */
final class GatheredAnswer implements AnswerPort {
    private final CompletableFuture<AnswerFrame> whole = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private byte @Nullable [] head;

    /** Returns the answer, when it is there. */
    CompletableFuture<AnswerFrame> whole() {
        return whole;
    }

    /** The frame has a length, and the proxy says how much of it may be head. */
    @Override
    public int maxHead() {
        return LengthField.MAX_VALUE;
    }

    @Override
    public boolean enter() {
        return true;
    }

    @Override
    public boolean refuse(String reason) {
        return whole.complete(AnswerFrame.of(Refusals.unavailable()));
    }

    @Override
    public boolean send(byte @Nullable [] first, @Nullable ByteBuffer bytes, boolean complete) {
        lock.lock();
        try {
            if (first != null) {
                head = first;
            }
            if (bytes != null) {
                byte[] copy = new byte[bytes.remaining()];
                bytes.duplicate().get(copy);
                body.writeBytes(copy);
            }
            if (complete && head != null) {
                whole.complete(AnswerFrame.of(head, body.toByteArray()));
            }
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** Nothing of it has been sent, so the client can be told. */
    @Override
    public void cancel(String reason) {
        whole.complete(AnswerFrame.of(Refusals.failed()));
    }
}
