package org.lrwp.webapp.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.spool.FilePart;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Parts of files on their way to sockets, by one thread. */
@Timeout(60)
class FileSenderTest {
    private static final int MIB = 1 << 20;
    private static final long LARGE = 40L * MIB;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private FileSender sender;

    @BeforeEach
    void open() throws IOException {
        sender = new FileSender(Selector.open(), "lrwp-files-test", now::get);
    }

    @AfterEach
    void close() throws Exception {
        sender.close();
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    /** The two ends of a connection. */
    private record Pair(SocketChannel server, Socket client) {}

    private Pair connect() throws IOException {
        try (ServerSocketChannel port = ServerSocketChannel.open()) {
            port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Socket client = new Socket();
            client.setReceiveBufferSize(4096);
            client.connect(port.getLocalAddress());
            SocketChannel server = port.accept();
            server.configureBlocking(false);
            opened.add(client);
            opened.add(server);
            return new Pair(server, client);
        }
    }

    /** A file whose bytes count up, and what is told of it. */
    private static class Part implements FilePart, SendListener {
        final BlockingQueue<SendEnd> end = new LinkedBlockingQueue<>();
        final CountDownLatch full = new CountDownLatch(1);
        final CountDownLatch fullAgain = new CountDownLatch(2);
        final AtomicLong sent = new AtomicLong();
        private final long length;

        Part(long length) {
            this.length = length;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public long transferTo(long from, long most, WritableByteChannel target)
                throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, 65_536));
            for (int i = 0; i < bytes.capacity(); i++) {
                bytes.put((byte) (from + i));
            }
            int count = target.write(bytes.flip());
            if (count == 0) {
                full.countDown();
                fullAgain.countDown();
            }
            return count;
        }

        @Override
        public void sent(long bytes) {
            sent.addAndGet(bytes);
        }

        @Override
        public void ended(SendEnd how) {
            end.add(how);
        }
    }

    private static void assertEnd(SendEnd wanted, Part part) throws InterruptedException {
        assertEquals(wanted, part.end.poll(20, TimeUnit.SECONDS));
        assertTrue(part.end.isEmpty());
    }

    private static void assertArrives(Socket client, long length) throws IOException {
        InputStream in = client.getInputStream();
        long got = 0;
        while (got < length) {
            byte[] some = in.readNBytes((int) Math.min(MIB, length - got));
            assertTrue(some.length > 0, "ended at " + got);
            for (int i = 0; i < some.length; i++) {
                if (some[i] != (byte) (got + i)) {
                    throw new AssertionError("another byte at " + (got + i));
                }
            }
            got += some.length;
        }
    }

    private Part send(SocketChannel channel, Part part) {
        sender.send(new FileSend(part, channel, part));
        return part;
    }

    /** Sends a part until the socket is full. */
    private FileSend full(SocketChannel channel, Part part) throws InterruptedException {
        FileSend send = new FileSend(part, channel, part);
        sender.send(send);
        assertTrue(part.full.await(20, TimeUnit.SECONDS));
        return send;
    }

    @Test
    void partsArriveWholeOneAfterTheOther() throws Exception {
        sender.start();
        Pair pair = connect();
        for (int i = 0; i < 3; i++) {
            Part part = send(pair.server, new Part(LARGE));
            assertArrives(pair.client, LARGE);
            assertEnd(SendEnd.WHOLE, part);
            assertEquals(LARGE, part.sent.get());
        }
    }

    @Test
    void fullSocketHoldsNobodyUpAndGetsTheRestLater() throws Exception {
        sender.start();
        Pair slow = connect();
        Part first = send(slow.server, new Part(LARGE));
        assertTrue(first.full.await(20, TimeUnit.SECONDS));
        Pair other = connect();
        Part second = send(other.server, new Part(LARGE));
        assertArrives(other.client, LARGE);
        assertEnd(SendEnd.WHOLE, second);
        assertTrue(first.end.isEmpty());
        assertArrives(slow.client, LARGE);
        assertEnd(SendEnd.WHOLE, first);
    }

    @Test
    void fullSocketIsTriedAgainAfterASecond() throws Exception {
        sender.start();
        Part waiting = send(connect().server, new Part(LARGE));
        assertTrue(waiting.full.await(20, TimeUnit.SECONDS));
        now.addAndGet(FileSender.RETRY_NANOS);
        // Any event makes the sender look at the clock.
        Part other = send(connect().server, new Part(1));
        assertEnd(SendEnd.WHOLE, other);
        assertTrue(waiting.fullAgain.await(20, TimeUnit.SECONDS));
        assertTrue(waiting.end.isEmpty());
    }

    @Test
    void thoseThatCanGoOnHaveTurns() throws Exception {
        BlockingQueue<String> turns = new LinkedBlockingQueue<>();
        List<Part> parts = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            Part taken =
                    new Part(3 * FileSender.TURN) {
                        @Override
                        public long transferTo(long from, long most, WritableByteChannel target) {
                            turns.add(name + from / FileSender.TURN);
                            return most;
                        }
                    };
            parts.add(send(connect().server, taken));
        }
        sender.start();
        for (Part part : parts) {
            assertEnd(SendEnd.WHOLE, part);
        }
        assertEquals(List.of("a0", "b0", "a1", "b1", "a2", "b2"), List.copyOf(turns));
    }

    @Test
    void withdrawnPartEndsAndTheConnectionCanBeReset() throws Exception {
        sender.start();
        Pair pair = connect();
        Part part = new Part(LARGE);
        FileSend send = full(pair.server, part);
        send.withdraw();
        sender.look(send);
        assertEnd(SendEnd.GONE, part);
        assertEquals(LARGE - part.sent.get(), send.left());
        pair.server.setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server.close();
        assertThrows(IOException.class, () -> assertArrives(pair.client, LARGE));
    }

    @Test
    void closedSocketIsGivenBackAfterALook() throws Exception {
        sender.start();
        Pair pair = connect();
        Part part = new Part(LARGE);
        FileSend send = full(pair.server, part);
        pair.server.setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.server.close();
        sender.look(send);
        assertEnd(SendEnd.GONE, part);
        assertThrows(IOException.class, () -> assertArrives(pair.client, LARGE));
    }

    @Test
    void clientThatLeavesIsNoticed() throws Exception {
        sender.start();
        Pair pair = connect();
        Part part = send(pair.server, new Part(LARGE));
        assertTrue(part.full.await(20, TimeUnit.SECONDS));
        pair.client.close();
        assertEnd(SendEnd.GONE, part);
        assertTrue(part.sent.get() < LARGE);
    }

    @Test
    void partThatIsGivenUpSaysSoAndOthersGoOn() throws Exception {
        sender.start();
        Pair pair = connect();
        Part cut =
                new Part(LARGE) {
                    @Override
                    public long transferTo(long from, long most, WritableByteChannel target)
                            throws IOException {
                        return from < MIB ? super.transferTo(from, 1000, target) : -1;
                    }
                };
        send(pair.server, cut);
        assertArrives(pair.client, MIB);
        assertEnd(SendEnd.GIVEN_UP, cut);
        Pair other = connect();
        Part next = send(other.server, new Part(1000));
        assertArrives(other.client, 1000);
        assertEnd(SendEnd.WHOLE, next);
    }

    @Test
    void neitherAFailingPartNorAFailingListenerEndsTheThread() throws Exception {
        sender.start();
        Part broken =
                new Part(1000) {
                    @Override
                    public long transferTo(long from, long most, WritableByteChannel target) {
                        throw new IllegalStateException("broken");
                    }
                };
        send(connect().server, broken);
        assertEnd(SendEnd.GONE, broken);
        Part deaf =
                new Part(1000) {
                    @Override
                    public void sent(long bytes) {
                        throw new IllegalStateException("deaf");
                    }
                };
        send(connect().server, deaf);
        assertEnd(SendEnd.GONE, deaf);
        Pair pair = connect();
        Part next = send(pair.server, new Part(1000));
        assertArrives(pair.client, 1000);
        assertEnd(SendEnd.WHOLE, next);
    }

    @Test
    void partsEndWithTheirSender() throws Exception {
        sender.start();
        Part waiting = send(connect().server, new Part(LARGE));
        assertTrue(waiting.full.await(20, TimeUnit.SECONDS));
        sender.close();
        assertEnd(SendEnd.GONE, waiting);
        Part late = send(connect().server, new Part(1));
        assertEnd(SendEnd.GONE, late);
        assertFalse(late.sent.get() > 0);
    }

    @Test
    void connectionsAreDividedAmongTheSenders() throws Exception {
        try (FileSenders senders = FileSenders.start(2)) {
            FileSender first = senders.one();
            FileSender second = senders.one();
            assertFalse(first.equals(second));
            assertEquals(first, senders.one());
        }
    }
}
