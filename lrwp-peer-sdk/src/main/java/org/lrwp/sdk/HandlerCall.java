package org.lrwp.sdk;

import org.lrwp.sdk.spi.Refusals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Calls a blocking handler on a connection of LRWP 1 or 2, and turns whatever it does into an
 * answer that can be sent.
 */
final class HandlerCall {
    private final RequestHandler handler;
    private final ConnectionEvents events;

    HandlerCall(RequestHandler handler, ConnectionEvents events) {
        this.handler = handler;
        this.events = events;
    }

    /**
     * Answers one request on the calling thread.
     *
     * @throws IOException when the connection broke while the handler read the body
     */
    AnswerFrame answer(RequestHead head, BodyInputStream body, BooleanSupplier cancelled)
            throws IOException {
        try {
            PeerRequest request = new HandledRequest(head, body, cancelled);
            return AnswerFrame.of(
                    whole(Objects.requireNonNull(handler.handle(request), "no answer")));
        } catch (RequestRefusedException e) {
            return AnswerFrame.of(Refusals.unavailable());
        } catch (Exception | Error e) {
            body.throwFailure();
            events.handlerFailed(e);
            return AnswerFrame.of(Refusals.failed());
        } finally {
            // An interrupt meant for the handler must not break the connection; abort closes it.
            Thread.interrupted();
        }
    }

    /** Gathers a streamed answer: its frame says its length first. */
    private static PeerResponse whole(PeerResponse response) throws Exception {
        BodyWriter writer = response.writer();
        if (response.upgraded() != null) {
            throw new IllegalStateException("no upgrade was asked for");
        }
        if (writer == null) {
            return response;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.writeTo(bytes);
        return new PeerResponse(response.status(), response.headers(), bytes.toByteArray());
    }
}
