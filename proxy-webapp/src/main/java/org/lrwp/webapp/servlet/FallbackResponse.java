package org.lrwp.webapp.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.client.ErrorAnswer;

import java.io.IOException;

/** A response whose errors are the proxy's own, not the container's pages. */
final class FallbackResponse extends HttpServletResponseWrapper {
    private final @Nullable String accept;
    private final String id;

    FallbackResponse(HttpServletRequest request, HttpServletResponse response, String id) {
        super(response);
        this.accept = request.getHeader("Accept");
        this.id = id;
    }

    @Override
    public void sendError(int status) throws IOException {
        if (status == SC_NOT_MODIFIED || status == SC_PRECONDITION_FAILED) {
            setStatus(status);
            return;
        }
        resetBuffer();
        ErrorAnswer.Whole error = ErrorAnswer.of(status).whole(accept, id, false);
        ResponseFields.write((HttpServletResponse) getResponse(), error);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        sendError(status);
    }
}
