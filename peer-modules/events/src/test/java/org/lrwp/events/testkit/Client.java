package org.lrwp.events.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** An exchange whose client takes, stalls, fails and leaves as the test says. Thread-safe. */
public final class Client implements PeerExchange {
    private final RequestHead request;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable ExchangeListener listener;
    private int status;
    private List<HeaderField> headers = List.of();
    private String end = "";
    private boolean stalls;
    private boolean full;
    private boolean fails;
    private boolean cancelled;

    /** Begins an exchange. */
    public Client(RequestHead request) {
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
        headers = List.copyOf(fields);
    }

    @Override
    public void answer(int code, List<HeaderField> fields, ByteBuffer octets) {
        respond(code, fields);
        write(octets);
        complete();
    }

    @Override
    public synchronized boolean write(ByteBuffer octets) {
        if (fails) {
            throw new IllegalStateException("planted");
        }
        byte[] copy = new byte[octets.remaining()];
        octets.duplicate().get(copy);
        body.writeBytes(copy);
        notifyAll();
        full = stalls;
        return !stalls;
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
            notifyAll();
        }
        if (hearing != null) {
            hearing.onDone();
        }
    }

    @Override
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Sends the body, in two pieces when it can be. */
    public Client send(String text) {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends the body, in two pieces when it can be. */
    public Client send(byte[] octets) {
        ExchangeListener hearing = hearing();
        if (hearing != null) {
            int half = octets.length / 2;
            if (half > 0) {
                hearing.onBody(ByteBuffer.wrap(octets, 0, half).asReadOnlyBuffer());
            }
            if (octets.length > 0) {
                hearing.onBody(
                        ByteBuffer.wrap(octets, half, octets.length - half).asReadOnlyBuffer());
            }
            hearing.onBodyEnd();
        }
        return this;
    }

    private synchronized @Nullable ExchangeListener hearing() {
        return listener;
    }

    /** From now on the client takes one write and no more. */
    public synchronized void stall() {
        stalls = true;
    }

    /** The client takes everything again. */
    public void takeAgain() {
        ExchangeListener hearing;
        synchronized (this) {
            stalls = false;
            hearing = full ? listener : null;
            full = false;
        }
        if (hearing != null) {
            hearing.onWritable();
        }
    }

    /** From now on each write throws. */
    public synchronized void fail() {
        fails = true;
    }

    /** The client goes away. */
    public void leave() {
        ExchangeListener hearing;
        synchronized (this) {
            cancelled = true;
            hearing = listener;
        }
        if (hearing != null) {
            hearing.onCancelled("gone");
        }
    }

    /** Whether the exchange has ended. */
    public synchronized boolean isOver() {
        return !end.isEmpty();
    }

    /** How it has ended; empty while it has not. */
    public synchronized String end() {
        return end;
    }

    /** The status; 0 while there is none. */
    public synchronized int status() {
        return status;
    }

    /** A header of the answer; empty when it is not there. */
    public synchronized String header(String name) {
        Optional<String> value =
                headers.stream()
                        .filter(field -> field.name().equalsIgnoreCase(name))
                        .map(HeaderField::value)
                        .findFirst();
        return value.orElse("");
    }

    /** What has been written. */
    public synchronized String text() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /** What has been written; it is forgotten. */
    public synchronized String takeText() {
        String text = body.toString(StandardCharsets.UTF_8);
        body.reset();
        return text;
    }

    /** Waits for something that is written. */
    public Client await(Predicate<Client> condition) throws InterruptedException {
        long end = System.nanoTime() + 20_000_000_000L;
        synchronized (this) {
            while (!condition.test(this)) {
                if (System.nanoTime() - end > 0) {
                    throw new AssertionError("it does not come: " + status + " " + text());
                }
                wait(50);
            }
        }
        return this;
    }
}
