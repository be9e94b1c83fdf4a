package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.Transport;
import org.lrwp.webapp.container.ContainerTransport;
import org.lrwp.webapp.container.OwnListener;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Whoever dials in is on a thread of its own until it has registered. */
class LobbyTest extends EdgeListener {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final List<Socket> strangers = new ArrayList<>();
    private @Nullable OwnListener own;
    private @Nullable ContainerTransport peers;

    @Override
    ContainerTransport openTransport() throws IOException {
        OwnListener opened =
                OwnListener.start(
                        2,
                        false,
                        () -> {
                            throw new IOException("there is no container");
                        });
        own = opened;
        ContainerTransport made = opened.transport(edge);
        peers = made;
        return made;
    }

    @Override
    int httpPort() throws IOException {
        return Objects.requireNonNull(own).open(ANY);
    }

    @Override
    @AfterEach
    void stop() throws Exception {
        for (Socket stranger : strangers) {
            stranger.close();
        }
        OwnListener opened = Objects.requireNonNull(own);
        opened.shut();
        super.stop();
        opened.close();
    }

    private Transport.Listener listen(Consumer<Link> accepted) throws IOException {
        return Objects.requireNonNull(peers).listen(ANY, accepted);
    }

    private Socket dial(Transport.Listener port) throws IOException {
        var socket = new Socket();
        strangers.add(socket);
        socket.connect(port.address());
        return socket;
    }

    @Test
    void strangersKeepNoClientWaiting() throws Exception {
        answer("Content-Type: text/plain", "hello");
        var inside = new Semaphore(0);
        var mayLeave = new Semaphore(0);
        Transport.Listener slow =
                listen(
                        link -> {
                            inside.release();
                            mayLeave.acquireUninterruptibly();
                        });
        try {
            for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
                dial(slow);
            }
            inside.acquire();
            for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
                try (Socket client = client()) {
                    send(client, GET);
                    upTo(client, "hello");
                }
            }
        } finally {
            mayLeave.release(strangers.size());
        }
    }

    @Test
    void whoeverIsSettledLeavesTheThreadOfStrangersWithAllThatWaits() throws Exception {
        BlockingQueue<Thread> seen = new LinkedBlockingQueue<>();
        Transport.Listener port =
                listen(
                        link -> {
                            seen.add(Thread.currentThread());
                            link.events(
                                    events(
                                            () -> {
                                                seen.add(Thread.currentThread());
                                                link.execute(
                                                        () -> seen.add(Thread.currentThread()));
                                                link.settle(() -> goOn(link, seen));
                                            }));
                        });
        Socket peer = dial(port);
        peer.getOutputStream().write('a');
        Thread lobby = seen.take();
        assertEquals(lobby, seen.take());
        Thread home = seen.take();
        assertNotEquals(lobby, home);
        assertEquals(home, seen.take(), "a task that was given before");
        assertEquals(home, seen.take(), "the byte that was not read before");
        peer.getOutputStream().write('b');
        assertEquals(home, seen.take(), "an event");
        peer.close();
        assertEquals(home, seen.take(), "the end");
    }

    /** On the loop where it stays: says so, and whenever something comes. */
    private static void goOn(Link link, BlockingQueue<Thread> seen) {
        seen.add(Thread.currentThread());
        link.events(
                events(
                        () -> {
                            try {
                                if (link.read(link.scratch()) < 0) {
                                    link.close();
                                }
                            } catch (IOException e) {
                                link.close();
                            }
                            seen.add(Thread.currentThread());
                        }));
    }

    private static LinkEvents events(Runnable readable) {
        return new LinkEvents() {
            @Override
            public void readable() {
                readable.run();
            }

            @Override
            public void writable() {}
        };
    }
}
