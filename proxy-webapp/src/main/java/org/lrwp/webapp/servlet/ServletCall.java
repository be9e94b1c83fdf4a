package org.lrwp.webapp.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.lang.System.Logger.Level;

/** An asynchronous request of the servlet. */
final class ServletCall implements ClientCall {
    private static final System.Logger LOG = System.getLogger(ServletCall.class.getName());

    /** Request attribute of one that is answered and was dispatched only to be completed. */
    static final String DONE = "org.lrwp.done";

    private final AsyncContext async;
    private final ServletAnswer answer;

    ServletCall(AsyncContext async) {
        this.async = async;
        this.answer = new ServletAnswer((HttpServletResponse) async.getResponse());
    }

    /** Makes a request asynchronous. The container's own time-out is not used: it answers 200. */
    static ServletCall of(HttpServletRequest request) {
        return new ServletCall(async(request));
    }

    /** Makes a request asynchronous that is going to be dispatched. */
    static AsyncContext async(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        return async;
    }

    @Override
    public ClientAnswer answer() {
        return answer;
    }

    @Override
    public ServletInputStream body() throws IOException {
        return async.getRequest().getInputStream();
    }

    @Override
    public void complete() {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "already-complete", e);
        }
    }

    /**
     * GlassFish loses what is pipelined behind a request with a body that is complete before the
     * servlet returns; a dispatch happens after it has returned.
     */
    @Override
    public void completeOnReturn() {
        async.getRequest().setAttribute(DONE, true);
        async.dispatch();
    }
}
