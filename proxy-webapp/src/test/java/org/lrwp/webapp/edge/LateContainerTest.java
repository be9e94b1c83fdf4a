package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.webapp.container.ContainerTransport;
import org.lrwp.webapp.container.OwnListener;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener whose container starts when a request needs it. */
class LateContainerTest extends EdgeListener {
    private static final String FILE = "GET /file HTTP/1.1\r\nHost: a\r\n\r\n";

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayStart = new CountDownLatch(1);
    private final AtomicInteger starts = new AtomicInteger();
    private volatile boolean fails;
    private @Nullable OwnListener own;

    @Override
    ContainerTransport openTransport() throws IOException {
        OwnListener opened = OwnListener.start(2, false, this::boot);
        own = opened;
        return opened.transport(edge);
    }

    private TCPNIOTransport boot() throws Exception {
        starts.incrementAndGet();
        begun.countDown();
        mayStart.await();
        if (fails) {
            throw new IOException("no room for it");
        }
        return startLate();
    }

    @Override
    int httpPort() throws IOException {
        OwnListener opened = own;
        return opened == null
                ? 0
                : opened.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Override
    @AfterEach
    void stop() throws Exception {
        mayStart.countDown();
        OwnListener opened = own;
        if (opened != null) {
            opened.shut();
        }
        super.stop();
        if (opened != null) {
            opened.close();
        }
    }

    @Test
    void peersAndOwnPagesNeedNoContainer() throws Exception {
        answer("Content-Type: text/plain", "hello");
        try (Socket client = client()) {
            send(client, GET);
            upTo(client, "hello");
            send(client, post("/-/page", "what is asked"));
            assertTrue(upTo(client, "what is asked").startsWith("HTTP/1.1 200 "));
            send(client, "GET /-/missing HTTP/1.1\r\nHost: a\r\n\r\n");
            upTo(client, "404 not-found");
            send(client, post("/nothing/here", "four") + GET);
            assertTrue(upTo(client, "404 not-found").contains("HTTP/1.1 404 "));
            upTo(client, "hello");
        }
        assertEquals(0, starts.get());
        assertEquals(
                List.of("answered", "not-found", "not-found", "answered"),
                List.of(reason(), reason(), reason(), reason()));
    }

    private String reason() throws InterruptedException {
        return log.take().reason();
    }

    @Test
    void tooMuchForAnOwnPageIsRefusedAndTheConnectionGoesOn() throws Exception {
        answer("Content-Type: text/plain", "hello");
        try (Socket client = client()) {
            send(client, post("/-/page", "x".repeat(70_000)));
            assertTrue(upTo(client, "413 body-too-large").startsWith("HTTP/1.1 413 "));
        }
        try (Socket client = client()) {
            String head = "POST /-/page HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
            send(client, head + "3\r\nabc\r\n0\r\n\r\n" + GET);
            assertTrue(upTo(client, "\r\n\r\n").startsWith("HTTP/1.1 411 "));
            upTo(client, "hello");
        }
    }

    @Test
    void aRequestWaitsForTheContainerAndWhatIsBehindItForTheRequest() throws Exception {
        answer("Content-Type: text/plain", "hello");
        try (Socket client = client();
                Socket other = client()) {
            send(client, FILE + GET + post("/form", "four") + GET);
            begun.await();
            send(other, GET);
            upTo(other, "hello");
            mayStart.countDown();

            upTo(client, "container /file 0");
            upTo(client, "hello");
            upTo(client, "container /form 4");
            upTo(client, "hello");
            // The next one finds it there, on this connection and on an older one.
            send(client, FILE);
            upTo(client, "container /file 0");
            send(other, FILE);
            upTo(other, "container /file 0");
        }
        assertEquals(1, starts.get());
    }

    @Test
    void aBodyMayComeWhileItsRequestWaits() throws Exception {
        answer("Content-Type: text/plain", "hello");
        try (Socket client = client()) {
            String whole = post("/form", "the whole body");
            send(client, whole.substring(0, whole.length() - 8));
            begun.await();
            send(client, whole.substring(whole.length() - 8));
            pause();
            mayStart.countDown();

            upTo(client, "container /form 14");
        }
    }

    @Test
    void manyWaitForOneStartAndWhoLeavesIsNotWaitedFor() throws Exception {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket client = client();
            clients.add(client);
            send(client, FILE);
        }
        begun.await();
        clients.removeFirst().close();
        mayStart.countDown();

        for (Socket client : clients) {
            upTo(client, "container /file 0");
            client.close();
        }
        assertEquals(1, starts.get());
    }

    @Test
    void withoutAContainerItsRequestsAreRefusedAndPeersGoOn() throws Exception {
        answer("Content-Type: text/plain", "hello");
        fails = true;
        try (Socket client = client()) {
            send(client, post("/form", "four") + GET);
            begun.await();
            mayStart.countDown();

            String refused = upTo(client, "503 no-container");
            assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
            upTo(client, "hello");
            send(client, FILE);
            upTo(client, "503 no-container");
            send(client, GET);
            upTo(client, "hello");
        }
        assertEquals(1, starts.get());
    }
}
