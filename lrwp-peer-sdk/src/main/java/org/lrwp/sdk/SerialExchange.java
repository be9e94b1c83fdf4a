package org.lrwp.sdk;

import org.lrwp.protocol.MalformedFrameException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * An asynchronous handler on a connection of LRWP 1 or 2: the connection's own thread waits in its
 * stead, first for the body, then for the answer. When that takes its time, another thread reads
 * on: it keeps what comes, and sees that the proxy has gone.
 */
final class SerialExchange {
    private static final String LEAVES = "the peer leaves";
    private static final int WINDOW = 65_536;
    private static final int PART = 16_384;

    /** Most answers are there before it, and cost no further thread. */
    static final Duration WATCH_AFTER = Duration.ofMillis(200);

    private final ExchangeHandler handler;
    private final ConnectionEvents events;
    private final FrameInput in;
    private final Duration watchAfter;

    /**
     * Creates it for one request.
     *
     * @param in the connection, which has nothing but this request
     * @param watchAfter when to look whether the proxy is still there
     */
    SerialExchange(
            ExchangeHandler handler, ConnectionEvents events, FrameInput in, Duration watchAfter) {
        this.handler = handler;
        this.events = events;
        this.in = in;
        this.watchAfter = watchAfter;
    }

    /**
     * Answers one request; blocks.
     *
     * @param aborted whether the connection ends because the peer leaves
     * @throws IOException when the connection broke before the answer was there, or the wait was
     *     interrupted
     */
    AnswerFrame answer(RequestHead head, BodyInputStream bytes, BooleanSupplier aborted)
            throws IOException {
        Semaphore room = new Semaphore(WINDOW);
        GatheredAnswer answer = new GatheredAnswer();
        IncomingBody body =
                new IncomingBody(WINDOW, granted -> room.release(Math.toIntExact(granted)));
        ExchangeCall call =
                new ExchangeCall(
                        handler,
                        head,
                        answer,
                        body,
                        Long.MAX_VALUE,
                        events::handlerFailed,
                        () -> {});
        // Whoever has answered without reading the body must not keep the reader waiting.
        CompletableFuture<AnswerFrame> whole =
                answer.whole().whenComplete((frame, lost) -> room.release(Integer.MAX_VALUE / 2));
        call.start();
        try {
            read(bytes, body, room, call, answer);
            return watched(whole, answer.whole()::completeExceptionally);
        } catch (InterruptedException e) {
            call.cancel(LEAVES);
            throw new InterruptedIOException(LEAVES);
        } catch (IOException e) {
            call.cancel(aborted.getAsBoolean() ? LEAVES : "the connection is lost");
            throw e;
        } catch (MalformedFrameException e) {
            throw new IOException(e);
        } finally {
            call.end();
        }
    }

    private AnswerFrame watched(CompletableFuture<AnswerFrame> whole, Consumer<IOException> lost)
            throws IOException, InterruptedException {
        try {
            try {
                return whole.get(watchAfter.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // Nothing comes before the answer, usually; what has come already is kept there.
                if (!in.arrived().hasRemaining()) {
                    in.readAhead(lost);
                }
                return whole.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
        }
    }

    private static void read(
            BodyInputStream bytes,
            IncomingBody body,
            Semaphore room,
            StreamCall call,
            GatheredAnswer answer)
            throws IOException, InterruptedException, MalformedFrameException {
        byte[] part = new byte[PART];
        int count = bytes.read(part, 0, part.length);
        while (count > 0 && !answer.whole().isDone()) {
            room.acquire(count);
            if (!answer.whole().isDone()) {
                body.add(ByteBuffer.wrap(part, 0, count), false);
                call.bodyArrived();
            }
            count = bytes.read(part, 0, part.length);
        }
        if (count < 0) {
            body.add(ByteBuffer.allocate(0), true);
            call.bodyArrived();
        }
    }
}
