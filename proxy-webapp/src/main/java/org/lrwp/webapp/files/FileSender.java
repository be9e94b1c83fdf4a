package org.lrwp.webapp.files;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A thread that has the kernel send parts of files, each as fast as its socket takes it.
 *
 * <p>Purpose: sending from a file may wait for the disk, so no selector thread of the container can
 * do it; and a hop between threads each time a socket is full costs more than the kernel saves.
 * Design: a part stays here from its first byte to its last. The thread has a selector of its own
 * that full sockets wait in, beside their registration with the container's. Those that can go on
 * have turns of {@value #TURN} bytes, one after another. A socket that is closed by others has its
 * descriptor only given back when this selector has let go of it too: who closes it calls {@link
 * #look}.
 */
public final class FileSender implements AutoCloseable {
    /** Bytes that one part sends before the others have their turn. */
    static final long TURN = 1 << 20;

    /**
     * The system says that a socket takes more when a third of its buffer is free. A client that
     * reads slowly must not be taken for one that does not read at all: its socket is tried before.
     */
    static final long RETRY_NANOS = 1_000_000_000;

    private static final System.Logger LOG = System.getLogger(FileSender.class.getName());

    private final Selector selector;
    private final Thread thread;
    private final Queue<FileSend> arrived = new ConcurrentLinkedQueue<>();
    private final Deque<FileSend> ready = new ArrayDeque<>();
    private final LongSupplier nanoTime;
    private long tried;
    private volatile boolean closed;

    /**
     * Creates a sender that {@link #start} starts.
     *
     * @param selector its own
     * @param name of its thread
     * @param nanoTime a clock like {@code System::nanoTime}
     */
    FileSender(Selector selector, String name, LongSupplier nanoTime) {
        this.selector = selector;
        this.nanoTime = nanoTime;
        this.tried = nanoTime.getAsLong();
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * Begins to send; any thread, never blocks.
     *
     * @param send not begun before; its listener hears its end, whatever happens
     */
    public void send(FileSend send) {
        look(send);
    }

    /**
     * Has a part looked at that was withdrawn, or whose socket was closed; any thread, never
     * blocks.
     *
     * @param send was given to {@link #send}, or would have been
     */
    public void look(FileSend send) {
        arrived.add(send);
        if (closed) {
            giveUpArrived();
        } else if (!Thread.currentThread().equals(thread)) {
            selector.wakeup();
        }
    }

    private void run() {
        try {
            while (!closed) {
                step();
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.ERROR, "file-sender-failed", e);
        } finally {
            closed = true;
            end();
        }
    }

    private void step() throws IOException {
        if (!ready.isEmpty() || !arrived.isEmpty()) {
            selector.selectNow(this::writable);
        } else if (selector.keys().isEmpty()) {
            selector.select(this::writable);
        } else {
            selector.select(this::writable, TimeUnit.NANOSECONDS.toMillis(RETRY_NANOS));
        }
        retry();
        for (FileSend one = arrived.poll(); one != null; one = arrived.poll()) {
            enqueue(one);
        }
        for (int i = ready.size(); i > 0; i--) {
            FileSend one = ready.remove();
            try {
                turn(one);
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "file-turn-failed", e);
                one.giveUp();
            }
        }
    }

    /** Tries the full sockets that nothing was heard of. */
    private void retry() {
        long now = nanoTime.getAsLong();
        if (now - tried >= RETRY_NANOS) {
            tried = now;
            selector.keys().forEach(this::writable);
        }
    }

    private void enqueue(FileSend one) {
        if (!one.isOver() && one.enqueue()) {
            ready.add(one);
        }
    }

    private void writable(SelectionKey key) {
        if (key.attachment() instanceof FileSend waiting) {
            enqueue(waiting);
        }
    }

    private void turn(FileSend one) throws IOException {
        switch (one.turn(TURN)) {
            case AGAIN -> enqueue(one);
            case FULL -> await(one);
            case OVER -> letGo(one);
        }
    }

    /** The socket stays registered until its part is over. */
    private void await(FileSend one) throws IOException {
        SelectionKey key = one.channel().keyFor(selector);
        if (key != null && key.isValid() && one.equals(key.attachment())) {
            return;
        }
        if (key != null) {
            // Of the part before: it is gone after a look.
            selector.selectNow(this::writable);
        }
        try {
            one.channel().register(selector, SelectionKey.OP_WRITE, one);
        } catch (ClosedChannelException | CancelledKeyException closed) {
            // The next turn finds that out, and says so.
            enqueue(one);
        }
    }

    private void letGo(FileSend one) {
        SelectionKey key = one.channel().keyFor(selector);
        if (key != null && one.equals(key.attachment())) {
            key.cancel();
        }
    }

    private void end() {
        ready.forEach(FileSend::giveUp);
        ready.clear();
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof FileSend waiting) {
                waiting.giveUp();
            }
        }
        giveUpArrived();
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "selector-not-closed", e);
        }
    }

    private void giveUpArrived() {
        for (FileSend one = arrived.poll(); one != null; one = arrived.poll()) {
            one.giveUp();
        }
    }

    /** Ends the thread; what is on its way ends as if its client were gone. Does not wait. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
