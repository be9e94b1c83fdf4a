package org.lrwp.webapp.servlet;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.lrwp.webapp.client.ErrorAnswer;
import org.lrwp.webapp.config.ErrorPages;

import java.io.IOException;

/** A response whose errors are the proxy's own, not the container's pages. */
final class FallbackResponse extends HttpServletResponseWrapper {
    private final ErrorAnswer.Asker asker;
    private final ErrorPages pages;

    FallbackResponse(HttpServletResponse response, ErrorAnswer.Asker asker, ErrorPages pages) {
        super(response);
        this.asker = asker;
        this.pages = pages;
    }

    @Override
    public void sendError(int status) throws IOException {
        if (status == SC_NOT_MODIFIED || status == SC_PRECONDITION_FAILED) {
            setStatus(status);
            return;
        }
        resetBuffer();
        ErrorAnswer.Whole error = ErrorAnswer.of(status).whole(asker, pages, false);
        ResponseFields.write((HttpServletResponse) getResponse(), error);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        sendError(status);
    }
}
