package org.lrwp.sdk;

import org.lrwp.protocol.MalformedFrameException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/**
 * An asynchronous handler on a connection of LRWP 1 or 2: the connection's own thread waits in its
 * stead, first for the body, then for the answer.
 */
final class SerialExchange {
    private static final int WINDOW = 65_536;
    private static final int PART = 16_384;

    private final ExchangeHandler handler;
    private final ConnectionEvents events;

    SerialExchange(ExchangeHandler handler, ConnectionEvents events) {
        this.handler = handler;
        this.events = events;
    }

    /**
     * Answers one request; blocks.
     *
     * @throws IOException when the connection broke within the body, or the wait was interrupted
     */
    AnswerFrame answer(RequestHead head, BodyInputStream bytes) throws IOException {
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
        var opened = answer.whole().thenRun(() -> room.release(Integer.MAX_VALUE / 2));
        call.start();
        try {
            read(bytes, body, room, call, answer);
            opened.get();
            return answer.whole().get();
        } catch (InterruptedException e) {
            call.cancel("the peer leaves");
            throw new InterruptedIOException("the peer leaves");
        } catch (IOException e) {
            call.cancel("the connection is lost");
            throw e;
        } catch (MalformedFrameException | ExecutionException e) {
            throw new IOException(e);
        } finally {
            call.end();
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
