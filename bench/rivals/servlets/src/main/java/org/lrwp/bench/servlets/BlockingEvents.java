package org.lrwp.bench.servlets;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A user that waits keeps a container thread. */
@WebServlet("/events/blocking")
public final class BlockingEvents extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition HAPPENED = LOCK.newCondition();
    private static String last = "";

    /** For the container. */
    public BlockingEvents() {}

    @Override
    public void init() {
        Ticks.listen(BlockingEvents::happened);
    }

    private static void happened(String event) {
        LOCK.lock();
        try {
            last = event;
            HAPPENED.signalAll();
        } finally {
            LOCK.unlock();
        }
    }

    private static String next() throws InterruptedException {
        LOCK.lock();
        try {
            String seen = last;
            while (seen.equals(last)) {
                HAPPENED.await();
            }
            return last;
        } finally {
            LOCK.unlock();
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            Answers.send(response, next());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the server ends");
        }
    }
}
