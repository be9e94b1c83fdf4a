package org.lrwp.webapp.glassfish;

import jakarta.servlet.AsyncContext;

import org.glassfish.grizzly.http.HttpResponsePacket;
import org.glassfish.grizzly.http.io.OutputBuffer;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.files.FileSenders;

/**
 * A request that came through the servlet container and whose answer does not go back through it:
 * it is written as the direct front writes its own, and the container is told that it has been. For
 * a response that nobody but the servlet sees. What the container does with an answer is a fifth of
 * a proxied request's CPU.
 */
final class StraightLink implements AnsweredLink {
    private final GrizzlyLink inner;
    private final HttpResponsePacket packet;
    private final OutputBuffer output;
    private final DirectWriter out;
    private final DirectAnswer answer;

    /**
     * Creates a link.
     *
     * @param inner the request's own
     * @param packet the container's answer, of which nothing is written yet
     * @param output of its body
     * @param out the connection's
     * @param head of the request
     */
    StraightLink(
            GrizzlyLink inner,
            HttpResponsePacket packet,
            OutputBuffer output,
            DirectWriter out,
            RequestHead head) {
        this.inner = inner;
        this.packet = packet;
        this.output = output;
        this.out = out;
        this.answer = new DirectAnswer(this, head);
    }

    @Override
    public DirectWriter out() {
        return out;
    }

    @Override
    public DirectAnswer answer() {
        return answer;
    }

    @Override
    public void completing(AsyncContext async) {
        inner.completing(async);
    }

    @Override
    public @Nullable FileSenders senders() {
        return inner.senders();
    }

    /** For the container the head is out, and there is no body. */
    @Override
    public void begun() {
        packet.setCommitted(true);
        packet.setExpectContent(false);
        ClosedOutput.close(output);
    }

    @Override
    public void complete() {
        if (isLast()) {
            packet.getProcessingState().setKeepAlive(false);
        }
    }

    @Override
    public boolean isLast() {
        return inner.isEnded();
    }

    @Override
    public boolean hasWholeRequest() {
        return inner.hasWholeRequest();
    }

    @Override
    public void end() {
        inner.end();
    }

    @Override
    public boolean isEnded() {
        return inner.isEnded();
    }
}
