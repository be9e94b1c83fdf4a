package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.ProcessorResult;
import org.glassfish.grizzly.StandaloneProcessor;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.Transport;
import org.lrwp.webapp.edge.Edge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** A peer on a selector thread of the container that has many clients to read in one round. */
@Timeout(30)
class PeerTurnsTest {
    private static final int SOON = 10;

    /** Some turns of the peers, and some more. */
    private static final int MANY = 4 * PeerTurns.CLIENTS;

    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final TCPNIOTransport container =
            TCPNIOTransportBuilder.newInstance().setSelectorRunnersCount(1).build();
    private final Clients clients = new Clients();
    private final List<Integer> looks = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Link> link = new CompletableFuture<>();
    private final Socket peer = new Socket();
    private Transport transport;

    /** Reads a byte of a client at a time, and counts. */
    private static final class Clients extends StandaloneProcessor {
        final Semaphore read = new Semaphore(0);
        private final ByteBuffer value = ByteBuffer.allocate(1);
        private int count;
        private IntConsumer before = number -> {};

        @Override
        public boolean isInterested(IOEvent event) {
            return event == IOEvent.READ;
        }

        @Override
        public ProcessorResult process(Context context) {
            count++;
            before.accept(count);
            try {
                var connection = (NIOConnection) context.getConnection();
                if (((SocketChannel) connection.getChannel()).read(value.clear()) < 0) {
                    connection.closeSilently();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            read.release();
            return ProcessorResult.createComplete();
        }

        void awaitRead(int bytes) throws InterruptedException {
            assertTrue(read.tryAcquire(bytes, SOON, TimeUnit.SECONDS));
        }
    }

    /** Notes how many clients had been read when it was looked at. */
    private final class Looks implements LinkEvents {
        private final Link at;

        Looks(Link at) {
            this.at = at;
        }

        @Override
        public void readable() {
            looks.add(clients.count);
            try {
                at.read(at.scratch());
            } catch (IOException ended) {
                at.close();
            }
        }

        @Override
        public void writable() {}
    }

    @BeforeEach
    void start() throws Exception {
        container.setProcessor(clients);
        container.start();
        var listener = new ContainerListener("http", container, KeepAliveLimits.NONE, false, false);
        transport =
                new ContainerTransport(
                        List.of(listener), List::of, new Edge(InstantSource.system()));
        Transport.Listener port =
                transport.listen(
                        ANY,
                        accepted -> {
                            accepted.events(new Looks(accepted));
                            link.complete(accepted);
                        });
        peer.setSoTimeout(SOON * 1000);
        peer.connect(port.address());
    }

    @AfterEach
    void stop() throws IOException {
        peer.close();
        transport.close();
        container.shutdownNow();
    }

    /** Sends to the peer when the thread's tasks run, as the engine does. */
    private void ask() {
        Link to = link.join();
        to.execute(
                () -> {
                    try {
                        to.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {'?'})});
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** Has many clients read in one round of the selector, and returns when they have been. */
    private void round(IntConsumer before) throws Exception {
        SocketAddress http = container.bind(ANY).getLocalAddress();
        var sockets = new ArrayList<Socket>();
        try {
            for (int i = 0; i < MANY; i++) {
                var socket = new Socket();
                sockets.add(socket);
                socket.connect(http);
                tell(socket);
                clients.awaitRead(1);
            }
            var begun = new CountDownLatch(1);
            var all = new CountDownLatch(1);
            link.join()
                    .execute(
                            () -> {
                                begun.countDown();
                                awaited(all);
                                clients.count = 0;
                                clients.before = before;
                            });
            awaited(begun);
            for (Socket socket : sockets) {
                tell(socket);
            }
            all.countDown();
            clients.awaitRead(MANY);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static void tell(Socket socket) throws IOException {
        socket.getOutputStream().write('.');
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertTrue(latch.await(SOON, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void peerIsAskedAndHeardAmidManyClients() throws Exception {
        var answered = new CountDownLatch(1);
        Thread answering =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                peer.getInputStream().read();
                                peer.getOutputStream().write('!');
                                answered.countDown();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        round(
                number -> {
                    if (number == 1) {
                        ask();
                    } else if (number == PeerTurns.CLIENTS + 1) {
                        // Without its turn the peer gets nothing before the end of the round.
                        awaited(answered);
                    }
                });
        assertEquals(List.of(2 * PeerTurns.CLIENTS), looks);
        answering.join();
    }

    @Test
    void silentPeerIsLookedAtOnce() throws Exception {
        round(
                number -> {
                    if (number == 1) {
                        ask();
                    }
                });
        assertEquals(List.of(2 * PeerTurns.CLIENTS), looks);
        assertEquals('?', peer.getInputStream().read());
    }

    @Test
    void turnLosesNoneOfManyTasks() throws Exception {
        var left = new CountDownLatch(3_000);
        round(
                number -> {
                    if (number == 1) {
                        for (long i = left.getCount(); i > 0; i--) {
                            link.join().execute(left::countDown);
                        }
                    }
                });
        awaited(left);
    }
}
