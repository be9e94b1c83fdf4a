package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletInputStream;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.servlet.ClientCall;

/** One request that was read before the container's filters. */
final class DirectCall implements ClientCall {
    private final DirectAnswer answer;
    private final DirectInput body;

    /**
     * Creates a call.
     *
     * @param client who asks
     * @param head what is asked
     * @param body as much of it as there will be
     */
    DirectCall(DirectClient client, RequestHead head, DirectInput body) {
        this.answer = new DirectAnswer(client, head);
        this.body = body;
    }

    @Override
    public DirectAnswer answer() {
        return answer;
    }

    @Override
    public ServletInputStream body() {
        return body;
    }

    @Override
    public void complete() {
        answer.complete();
    }

    @Override
    public void completeOnReturn() {
        answer.complete();
    }
}
