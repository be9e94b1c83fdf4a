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

    /** Value of {@link #DONE} when the connection has to end with the request. */
    static final String CUT = "cut";

    private final AsyncContext async;
    private final ClientAnswer answer;
    private final ClientLink link;

    ServletCall(AsyncContext async, ClientAnswer answer, ClientLink link) {
        this.async = async;
        this.answer = answer;
        this.link = link;
    }

    /** Makes a request asynchronous. The container's own time-out is not used: it answers 200. */
    static ServletCall of(HttpServletRequest request, ClientLink link) {
        AsyncContext async = async(request);
        var answer = new ServletAnswer((HttpServletResponse) async.getResponse());
        return new ServletCall(async, answer, link);
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
        answer.complete();
        try {
            if (link.isToBeCut()) {
                // A servlet that throws amid its answer is all that the Servlet API has for it.
                async.getRequest().setAttribute(DONE, CUT);
                async.dispatch();
                return;
            }
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
        answer.complete();
        async.getRequest().setAttribute(DONE, link.isToBeCut() ? CUT : true);
        async.dispatch();
    }
}
