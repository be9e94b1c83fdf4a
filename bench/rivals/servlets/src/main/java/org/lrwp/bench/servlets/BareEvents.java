package org.lrwp.bench.servlets;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What the container costs alone: whoever posts an event gives it, in a loop, to those that wait,
 * and does nothing else.
 */
@WebServlet(urlPatterns = "/events/bare", asyncSupported = true)
public final class BareEvents extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOG = System.getLogger(BareEvents.class.getName());
    private static final AtomicReference<Queue<AsyncContext>> WAITING =
            new AtomicReference<>(new ConcurrentLinkedQueue<>());

    /** For the container. */
    public BareEvents() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext context = request.startAsync();
        context.setTimeout(0);
        WAITING.get().add(context);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        byte[] data = request.getInputStream().readAllBytes();
        String event = "[{\"data\":\"" + new String(data, StandardCharsets.UTF_8) + "\"}]";
        for (AsyncContext one : WAITING.getAndSet(new ConcurrentLinkedQueue<>())) {
            try {
                Answers.send(one.getResponse(), event);
                one.complete();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "user-gone", e);
            }
        }
        response.setStatus(HttpServletResponse.SC_CREATED);
    }
}
