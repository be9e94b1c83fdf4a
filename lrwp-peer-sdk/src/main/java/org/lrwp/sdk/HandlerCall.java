package org.lrwp.sdk;

import java.io.IOException;
import java.util.Objects;

/** Calls the handler and turns whatever it does into an answer that can be sent. */
final class HandlerCall {
    private final RequestHandler handler;
    private final EventReport report;

    HandlerCall(RequestHandler handler, EventReport report) {
        this.handler = handler;
        this.report = report;
    }

    /**
     * Answers one request on the calling thread.
     *
     * @throws IOException when the connection broke while the handler read the body
     */
    AnswerFrame answer(FrameRequest request, PeerLink link) throws IOException {
        try {
            return AnswerFrame.of(Objects.requireNonNull(handler.handle(request), "no answer"));
        } catch (Exception | Error e) {
            request.octets().throwFailure();
            report.accept(new PeerEvent.HandlerFailed(link, e));
            return AnswerFrame.of(PeerResponse.text(500, "internal error"));
        } finally {
            // An interrupt meant for the handler must not break the connection; abort closes it.
            Thread.interrupted();
        }
    }
}
