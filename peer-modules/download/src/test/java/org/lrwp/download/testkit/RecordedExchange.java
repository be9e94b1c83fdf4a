package org.lrwp.download.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An exchange whose client takes as much as the test says. Thread-safe. */
public final class RecordedExchange implements PeerExchange {
    private final RequestHead request;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable ExchangeListener listener;
    private int status;
    private List<HeaderField> headers = List.of();
    private String end = "";
    private boolean full;
    private boolean taking = true;

    /** Begins an exchange. */
    public RecordedExchange(RequestHead request) {
        this.request = request;
    }

    @Override
    public RequestHead request() {
        return request;
    }

    @Override
    public synchronized void listen(ExchangeListener hearing) {
        if (listener == null) {
            listener = hearing;
        }
    }

    @Override
    public void pauseBody() {}

    @Override
    public void resumeBody() {}

    @Override
    public synchronized void respond(int code, List<HeaderField> fields) {
        status = code;
        headers = fields;
    }

    @Override
    public void answer(int code, List<HeaderField> fields, ByteBuffer octets) {
        respond(code, fields);
        write(octets);
        complete();
    }

    @Override
    public synchronized boolean write(ByteBuffer octets) {
        byte[] copy = new byte[octets.remaining()];
        octets.get(copy);
        body.writeBytes(copy);
        full = !taking;
        return taking;
    }

    @Override
    public void complete() {
        end("complete");
    }

    @Override
    public void abort(String reason) {
        end(reason);
    }

    private void end(String how) {
        ExchangeListener hearing;
        synchronized (this) {
            if (!end.isEmpty()) {
                return;
            }
            end = how;
            hearing = listener;
        }
        if (hearing != null) {
            hearing.onDone();
        }
        over.countDown();
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    /** From now on the client takes one write and no more. */
    public synchronized void stall() {
        taking = false;
    }

    /** The client takes everything again. */
    public void takeAgain() {
        ExchangeListener hearing;
        synchronized (this) {
            taking = true;
            hearing = full ? listener : null;
            full = false;
        }
        if (hearing != null) {
            hearing.onWritable();
        }
    }

    /** The client goes away. */
    public void leave() {
        ExchangeListener hearing;
        synchronized (this) {
            hearing = listener;
        }
        if (hearing != null) {
            hearing.onCancelled("gone");
        }
    }

    /** Waits for the end; how it was. */
    public String awaitEnd() throws InterruptedException {
        if (!over.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("the exchange does not end; octets: " + length());
        }
        synchronized (this) {
            return end;
        }
    }

    /** Whether it has ended. */
    public synchronized boolean isOver() {
        return !end.isEmpty();
    }

    /** The status. */
    public synchronized int status() {
        return status;
    }

    /** A header of the answer. */
    public synchronized Optional<String> header(String name) {
        return headers.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(HeaderField::value)
                .findFirst();
    }

    /** What has been written. */
    public synchronized byte[] octets() {
        return body.toByteArray();
    }

    /** How much has been written. */
    public synchronized int length() {
        return body.size();
    }
}
