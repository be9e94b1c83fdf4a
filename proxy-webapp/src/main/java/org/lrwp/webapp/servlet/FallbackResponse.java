package org.lrwp.webapp.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.jspecify.annotations.Nullable;

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
        var answer = new ServletAnswer((HttpServletResponse) getResponse());
        ErrorAnswer.of(status).write(answer, accept, id, false);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        sendError(status);
    }
}
