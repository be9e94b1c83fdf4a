package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletInputStream;

import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.lrwp.webapp.servlet.ClientAnswer;
import org.lrwp.webapp.servlet.ClientCall;

import java.util.concurrent.TimeUnit;

/**
 * A request that was taken before the servlet container. Grizzly is told that its answer comes
 * later, and goes on with the connection when it is complete; not while its own thread is still
 * inside, as what is pipelined behind the request would get lost.
 */
final class GrizzlyCall implements ClientCall {
    private static final long NEVER = -1;
    private static final long NOBODY = -1;

    private final Request request;
    private final FilterChainContext chain;
    private final Response.SuspendedContextImpl suspended;
    private final GrizzlyAnswer answer;
    private volatile long inside;
    private boolean over;

    GrizzlyCall(Request request) {
        Response response = request.getResponse();
        this.request = request;
        this.chain = request.getContext();
        this.answer = new GrizzlyAnswer(response);
        this.inside = Thread.currentThread().threadId();
        // Without a handler Grizzly does not say who ends what when the client leaves.
        response.suspend(NEVER, TimeUnit.MILLISECONDS, new EmptyCompletionHandler<>());
        this.suspended = (Response.SuspendedContextImpl) response.getSuspendContext();
    }

    @Override
    public ClientAnswer answer() {
        return answer;
    }

    @Override
    public ServletInputStream body() {
        return new GrizzlyInput(request.getNIOInputStream());
    }

    @Override
    public void complete() {
        if (inside == Thread.currentThread().threadId()) {
            over = true;
        } else {
            resume();
        }
    }

    @Override
    public void completeOnReturn() {
        over = true;
    }

    /** The thread that took the request goes back to Grizzly. */
    void leave() {
        inside = NOBODY;
        if (over) {
            resume();
        }
    }

    /** When the client has left, Grizzly has ended the request itself. */
    private void resume() {
        if (suspended.markResumed()) {
            chain.resume();
        }
    }
}
