package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.SelectorHandler;
import org.junit.jupiter.api.Test;
import org.lrwp.webapp.container.ClientReader;
import org.lrwp.webapp.container.LazyStrategy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A connection that comes back from the container while the container reads it. */
class EdgeHandBackTest extends EdgeListener {
    private final CompletableFuture<NIOConnection> given = new CompletableFuture<>();
    private final CountDownLatch answer = new CountDownLatch(1);

    @Test
    void whatTheContainerIsToldToReadAsARequestComesBackIsAnsweredByItsPeer() throws Exception {
        answer("X-A: 1", "hello");
        beforeAnswer =
                request -> {
                    given.complete((NIOConnection) request.getContext().getConnection());
                    awaitAnswer();
                };
        try (Socket client = client()) {
            send(client, "GET /file HTTP/1.1\r\nHost: a\r\n\r\n");
            NIOConnection served = given.get();
            SelectorHandler selector =
                    served.getSelectorRunner().getTransport().getSelectorHandler();
            selector.execute(
                    served.getSelectorRunner(),
                    () -> {
                        readAmidTheEnd(served, client);
                        return true;
                    },
                    null);
            upTo(client, "container /file 0");
            upTo(client, "hello");
        }
    }

    /** What the strategy does for an event, with the end of the request in its midst. */
    private void readAmidTheEnd(NIOConnection served, Socket client) {
        ClientReader connection = LazyStrategy.reader(served);
        assertFalse(connection == null || connection.read());
        answer.countDown();
        while (connection.given() != null) {
            Thread.onSpinWait();
        }
        try {
            send(client, GET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        served.getTransport().fireIOEvent(IOEvent.READ, served, null);
        connection.containerHasRead();
    }

    private void awaitAnswer() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
