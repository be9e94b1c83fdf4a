package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.frame.FrameHead;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Rules 2, 3 and 5 of LRWP 3, on a socket whose writes return when the test says so. */
@Timeout(60)
final class FrameWriterTest {
    private final HeldSocket socket = new HeldSocket();
    private final FrameWriter writer = newWriter();

    private FrameWriter newWriter() {
        try {
            return new FrameWriter(
                    new TcpSocket(socket),
                    65_536,
                    new WriteWatch(System::nanoTime),
                    new Gathering(System::nanoTime));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Keeps each write, and lets it return on permission. */
    private static final class HeldSocket extends Socket {
        private final BlockingQueue<byte[]> writes = new LinkedBlockingQueue<>();
        private final Semaphore permits = new Semaphore(0);

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int value) {
                    throw new AssertionError("byte by byte");
                }

                @Override
                public void write(byte[] bytes, int offset, int count) throws IOException {
                    ByteArrayOutputStream copy = new ByteArrayOutputStream();
                    copy.write(bytes, offset, count);
                    writes.add(copy.toByteArray());
                    permits.acquireUninterruptibly();
                    if (isClosed()) {
                        throw new IOException("closed");
                    }
                }
            };
        }

        @Override
        public void shutdownOutput() {
            writes.add(new byte[0]);
        }

        byte[] write() throws InterruptedException {
            byte[] bytes = writes.poll(10, TimeUnit.SECONDS);
            return bytes == null ? new byte[] {-1} : bytes;
        }
    }

    /** Counts what it is told. */
    private static final class Told implements StreamCall {
        private final AtomicInteger started = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicInteger cancelled = new AtomicInteger();

        @Override
        public void start() {
            started.incrementAndGet();
        }

        @Override
        public void bodyArrived() {}

        @Override
        public void roomAgain() {}

        @Override
        public void cancel(String reason) {
            cancelled.incrementAndGet();
        }

        @Override
        public void end() {
            done.incrementAndGet();
        }
    }

    private void run() {
        Thread.ofVirtual().start(writer);
    }

    private AnswerStream stream(int id, long window, StreamCall call) {
        AnswerStream stream = new AnswerStream(id, writer, window);
        stream.hearing(call);
        return stream;
    }

    private static byte[] joined(byte[]... frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        List.of(frames).forEach(all::writeBytes);
        return all.toByteArray();
    }

    /** Returns the types of the frames in a write. */
    private static String types(byte[] bytes) {
        StringBuilder types = new StringBuilder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.hasRemaining()) {
            int length = in.getInt();
            FrameType type = FrameType.of(in.get());
            boolean end = in.get() == 1;
            in.getShort();
            types.append(type).append(in.getInt()).append(end ? "! " : " ");
            in.position(in.position() + length);
        }
        return types.toString();
    }

    @Test
    void handlersStartWhenTheOneWriteOfTheirFramesHasReturned() throws Exception {
        Told first = new Told();
        Told second = new Told();
        stream(1, 10, first).announce(first);
        stream(2, 10, second).announce(second);
        run();

        assertArrayEquals(joined(Frames.started(1), Frames.started(2)), socket.write());
        assertEquals(0, first.started.get() + second.started.get());
        writer.urgent(Frames.ping(1));
        socket.permits.release();
        // The next write begins when what was behind the first one is done.
        assertEquals("PING0 ", types(socket.write()));
        assertEquals(2, first.started.get() + second.started.get());
    }

    @Test
    void handlerWhoseFrameCouldNotBeWrittenNeverStarts() throws Exception {
        Told call = new Told();
        AnswerStream stream = stream(1, 10, call);
        stream.announce(call);
        run();
        socket.write();
        socket.close();
        socket.permits.release();
        while (!writer.isEnding()) {
            Thread.onSpinWait();
        }

        assertEquals(0, call.started.get());
        assertFalse(stream.enter());
    }

    @Test
    void handlerIsNotEnteredAfterTheOutputIsToEnd() {
        Told call = new Told();
        AnswerStream stream = stream(1, 10, call);
        writer.end();
        assertFalse(stream.enter());
    }

    @Test
    void whatComesDuringAWriteSharesTheNextOneInTurns() throws Exception {
        writer.urgent(Frames.ping(1));
        run();
        socket.write();
        Told call = new Told();
        for (int id = 1; id <= 2; id++) {
            AnswerStream stream = stream(id, 1_000_000, call);
            assertTrue(stream.enter());
            stream.send(new byte[10], ByteBuffer.wrap(new byte[20_000]), false);
        }
        writer.urgent(Frames.ping(2));
        socket.permits.release();

        assertEquals("PING0 RESPONSE1 RESPONSE2 DATA1 DATA2 ", types(socket.write()));
    }

    @Test
    void cancelTakesBackWhatIsQueuedAndNothingFollowsIt() throws Exception {
        writer.urgent(Frames.ping(1));
        run();
        socket.write();
        Told call = new Told();
        AnswerStream stream = stream(1, 100, call);
        assertTrue(stream.enter());
        stream.send(new byte[10], ByteBuffer.wrap(new byte[20]), true);
        stream.cancelled("gone");
        stream.grant(5);
        stream.credit(5);
        stream.cancel("late");
        stream.send(null, ByteBuffer.wrap(new byte[5]), true);
        socket.permits.release();

        assertEquals("CANCEL1 ", types(socket.write()));
        assertTrue(stream.isEnded());
        assertEquals(1, call.done.get());
        assertEquals(0, call.cancelled.get());
        assertFalse(stream.refuse("late"));
    }

    @Test
    void headThatFitsNoFrameIsTheHandlersFault() {
        AnswerStream stream = stream(1, 100, new Told());
        assertTrue(stream.enter());
        assertThrows(
                IllegalArgumentException.class, () -> stream.send(new byte[65_537], null, true));
    }

    @Test
    void endNeedsNoWindow() throws Exception {
        run();
        socket.permits.release(10);
        Told call = new Told();
        AnswerStream stream = stream(1, 20, call);
        assertTrue(stream.enter());
        stream.send(new byte[10], ByteBuffer.wrap(new byte[20]), false);
        assertEquals("RESPONSE1 ", types(socket.write()));
        stream.send(null, null, true);
        assertEquals("DATA1! ", types(socket.write()));
    }

    @Test
    void proxyThatAsksWithoutReadingIsCutOff() throws Exception {
        run();
        writer.urgent(Frames.ping(1));
        socket.write();
        for (int i = 0; i <= 65_536; i++) {
            writer.urgent(FrameHead.of(FrameType.PONG, false, 0, 0));
        }
        assertTrue(writer.isEnding());
        socket.permits.release();
        while (!socket.isClosed()) {
            Thread.onSpinWait();
        }
        assertEquals(0, socket.writes.size());
    }
}
