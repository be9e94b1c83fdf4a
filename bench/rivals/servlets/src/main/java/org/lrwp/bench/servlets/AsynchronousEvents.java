package org.lrwp.bench.servlets;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Users wait in a queue that one thread empties when an event happens. Who asks again while it is
 * being emptied stands in the same queue, and gets the same event again.
 */
@WebServlet(urlPatterns = "/events/asynchronous", asyncSupported = true)
public final class AsynchronousEvents extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOG = System.getLogger(AsynchronousEvents.class.getName());
    private static final Queue<AsyncContext> WAITING = new ConcurrentLinkedQueue<>();

    /** For the container. */
    public AsynchronousEvents() {}

    @Override
    public void init() {
        Ticks.listen(AsynchronousEvents::happened);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext context = request.startAsync();
        context.setTimeout(0);
        WAITING.add(context);
    }

    private static void happened(String event) {
        for (AsyncContext one = WAITING.poll(); one != null; one = WAITING.poll()) {
            try {
                Answers.send(one.getResponse(), event);
                one.complete();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "user-gone", e);
            }
        }
    }
}
