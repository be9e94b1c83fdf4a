package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.SelectorHandler;
import org.junit.jupiter.api.Test;
import org.lrwp.webapp.container.ClientReader;
import org.lrwp.webapp.container.GivenRequest;
import org.lrwp.webapp.container.ReaderStrategy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A connection that comes back from the container while the container reads it. */
class EdgeHandBackTest extends EdgeListener {
    private final CompletableFuture<NIOConnection> given = new CompletableFuture<>();
    private final CountDownLatch answer = new CountDownLatch(1);

    /** Runs on the loop while the container is told to read, and the request has come back. */
    private interface AmidRead {
        void run(NIOConnection served, EdgeConnection connection) throws IOException;
    }

    @Test
    void whatTheContainerIsToldToReadAsARequestComesBackIsAnsweredByItsPeer() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket client = client()) {
            atHandBack(
                    client,
                    (served, connection) -> {
                        send(client, GET);
                        served.getTransport().fireIOEvent(IOEvent.READ, served, null);
                    });
            upTo(client, "container /file 0");
            upTo(client, "hello");
        }
    }

    @Test
    void theContainerBeginsARequestOnce() throws Exception {
        var begun = new ConcurrentLinkedQueue<Boolean>();
        beforeAnswer =
                request -> {
                    ClientReader reader =
                            ReaderStrategy.reader(request.getContext().getConnection());
                    GivenRequest turn = reader == null ? null : reader.given();
                    if (turn != null) {
                        begun.add(turn.begin());
                        begun.add(turn.begin());
                    }
                };
        try (Socket client = client()) {
            send(client, post("/file", "x") + post("/file", "xy"));
            upTo(client, "container /file 1");
            upTo(client, "container /file 2");
        }

        assertEquals(List.of(true, false, true, false), List.copyOf(begun));
    }

    @Test
    void theContainerMayHaveReadMoreThanABufferOfTheEdgeHolds() throws Exception {
        try (Socket client = client()) {
            byte[] next = post("/file", "x".repeat(150_000)).getBytes(StandardCharsets.US_ASCII);
            atHandBack(
                    client,
                    (served, connection) -> {
                        connection.keep(ByteBuffer.wrap(next));
                        connection.read();
                    });
            upTo(client, "container /file 0");
            upTo(client, "container /file 150000");
        }
    }

    /** Has something run when a request has come back amid a read of the container. */
    private void atHandBack(Socket client, AmidRead then) throws Exception {
        beforeAnswer =
                request -> {
                    given.complete((NIOConnection) request.getContext().getConnection());
                    awaitAnswer();
                };
        send(client, "GET /file HTTP/1.1\r\nHost: a\r\n\r\n");
        NIOConnection served = given.get();
        SelectorHandler selector = served.getSelectorRunner().getTransport().getSelectorHandler();
        selector.execute(
                served.getSelectorRunner(),
                () -> {
                    readAmidTheEnd(served, then);
                    return true;
                },
                null);
    }

    /** What the strategy does for an event, with the end of the request in its midst. */
    private void readAmidTheEnd(NIOConnection served, AmidRead then) {
        var connection = (EdgeConnection) ReaderStrategy.reader(served);
        assertFalse(connection == null || connection.read());
        answer.countDown();
        while (connection.given() != null) {
            Thread.onSpinWait();
        }
        try {
            then.run(served, connection);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
