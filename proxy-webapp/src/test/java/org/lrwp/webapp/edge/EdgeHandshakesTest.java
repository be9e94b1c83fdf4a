package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.transport.tls.HandshakeTurns;
import org.lrwp.webapp.container.ClientTls;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLEngine;

/** Clients of the HTTPS port whose handshakes wait for their turn, which the test gives them. */
class EdgeHandshakesTest extends EdgeListener {
    private static final int SOON = 10;
    private static final int MOST = 2;

    private final BlockingQueue<Runnable> turns = new LinkedBlockingQueue<>();
    private final List<SSLEngine> engines = new CopyOnWriteArrayList<>();

    @Override
    Encryption encryption() {
        return Encryption.OF_PROXY;
    }

    @Override
    ClientTls tls() {
        return new ClientTls(this::engine, session -> {}, new HandshakeTurns(turns::add, MOST));
    }

    private SSLEngine engine() {
        SSLEngine engine = TestTls.shared().engine();
        engines.add(engine);
        return engine;
    }

    private long computed() {
        return engines.stream().filter(one -> one.getHandshakeSession() != null).count();
    }

    private Runnable turn() throws InterruptedException {
        return requireNonNull(turns.poll(SOON, TimeUnit.SECONDS), "no handshake waits");
    }

    private Socket greeting() throws IOException {
        Socket client = plainClient();
        client.getOutputStream().write(TestTls.shared().clientHello());
        return client;
    }

    @Test
    void aClientThatHasLeftIsNotComputed() throws Exception {
        Runnable turn;
        try (Socket client = greeting()) {
            turn = turn();
            assertTrue(client.isConnected());
        }
        turn.run();
        assertEquals(0, computed());
        assertEquals(1, edge.handshakes().refused());
    }

    @Test
    void aClientThatHasCutItsConnectionIsNotComputed() throws Exception {
        Socket client = greeting();
        Runnable turn = turn();
        reset(client);
        turn.run();
        assertEquals(0, computed());
    }

    @Test
    void theOneThatFindsNoPlaceIsClosed() throws Exception {
        try (Socket first = greeting()) {
            Runnable one = turn();
            try (Socket second = greeting()) {
                Runnable two = turn();
                try (Socket third = greeting()) {
                    assertTrue(isClosed(third));
                }
                assertEquals(1, edge.handshakes().refused());
                assertTrue(turns.isEmpty());
                one.run();
                two.run();
                assertEquals(MOST, computed());
                assertEquals(22, first.getInputStream().read());
                assertEquals(22, second.getInputStream().read());
            }
        }
    }

    @Test
    void whatFollowsTheHandshakeWaitsForNoTurn() throws Exception {
        answer("X-A: 1", "hello");
        try (Socket plain = plainClient()) {
            var given = new Thread(this::giveTurns);
            given.setDaemon(true);
            given.start();
            try (Socket client = TestTls.shared().over(plain)) {
                send(client, GET);
                assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200"));
                given.interrupt();
                given.join();
                send(client, GET);
                assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200"));
            }
        }
        assertEquals(1, edge.handshakes().done());
        assertEquals(0, edge.handshakes().refused());
    }

    private void giveTurns() {
        try {
            while (true) {
                turns.take().run();
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
