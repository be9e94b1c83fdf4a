package org.lrwp.engine.transport;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One selector and the thread that runs it. Each round: wait for events, handle them, then run the
 * tasks that have come.
 *
 * <p>{@link #execute}, {@link #accept}, {@link #adopt} and {@link #close} may be called from any
 * thread; all else is the loop's own.
 */
final class SelectorLoop {
    private static final System.Logger LOG = System.getLogger(SelectorLoop.class.getName());
    private static final int SCRATCH_SIZE = 64 * 1024;
    private static final int MOST_TASKS = 1024;
    private static final long ACCEPT_PAUSE_MILLIS = 200;

    private final Selector selector;
    private final Runnable wake;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_SIZE);

    /** Listeners that found no file descriptor; the loop's own. */
    private final List<SelectionKey> paused = new ArrayList<>();

    private volatile boolean closing;

    SelectorLoop(String name) throws IOException {
        selector = Selector.open();
        wake = selector::wakeup;
        thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    ByteBuffer scratch() {
        return scratch.clear();
    }

    void execute(Runnable task) {
        tasks.add(task);
        // The loop itself looks for tasks before it waits. A mark that it left here while it runs
        // its tasks would stay, and keep all others from waking it.
        if (!isCurrent() && awake.compareAndSet(false, true)) {
            Wakeups.wake(wake);
        }
    }

    void accept(ServerSocketChannel channel, Consumer<SocketChannel> accepted) {
        execute(
                () -> {
                    try {
                        channel.register(selector, SelectionKey.OP_ACCEPT, accepted);
                    } catch (IOException e) {
                        // Closed before the loop came to it.
                        LOG.log(System.Logger.Level.DEBUG, "listen-failed", e);
                    }
                });
    }

    void adopt(SocketChannel socket, PeerAddress remote, Consumer<Link> accepted) {
        execute(
                () -> {
                    try {
                        SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
                        var link = new SelectorLink(this, socket, key, remote);
                        key.attach(link);
                        accepted.accept(link);
                    } catch (IOException e) {
                        LOG.log(System.Logger.Level.DEBUG, "accepted-link-failed", e);
                        closeQuietly(socket);
                    }
                });
    }

    private void run() {
        try {
            while (!closing) {
                select();
                selector.selectedKeys().forEach(this::handle);
                selector.selectedKeys().clear();
                runTasks();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "selector-failed", e);
        } finally {
            runTasks();
            closeAll();
        }
    }

    private void select() throws IOException {
        if (!paused.isEmpty()) {
            selector.select(ACCEPT_PAUSE_MILLIS);
            for (SelectionKey listener : paused) {
                if (listener.isValid()) {
                    listener.interestOps(SelectionKey.OP_ACCEPT);
                }
            }
            paused.clear();
        } else if (tasks.isEmpty()) {
            selector.select();
        } else {
            selector.selectNow();
        }
    }

    private void runTasks() {
        awake.set(false);
        // Not without end: tasks that add tasks must not keep events waiting.
        for (int i = 0; i < MOST_TASKS; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            guarded(task);
        }
    }

    private void handle(SelectionKey key) {
        guarded(
                () -> {
                    if (key.attachment() instanceof SelectorLink link) {
                        link.ready(key);
                    } else if (key.isValid() && key.isAcceptable()) {
                        acceptAll(key);
                    }
                });
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            // One connection's fault must not end the loop of all others.
            LOG.log(System.Logger.Level.ERROR, "loop-task-failed", e);
        }
    }

    @SuppressWarnings("unchecked")
    private void acceptAll(SelectionKey key) {
        var accepted = (Consumer<SocketChannel>) key.attachment();
        var channel = (ServerSocketChannel) key.channel();
        try {
            SocketChannel socket = channel.accept();
            while (socket != null) {
                accepted.accept(socket);
                socket = channel.accept();
            }
        } catch (ClosedChannelException e) {
            LOG.log(System.Logger.Level.DEBUG, "listener-closed", e);
        } catch (IOException e) {
            // Most likely no file descriptors are left: others may be given back meanwhile.
            LOG.log(System.Logger.Level.WARNING, "accept-failed reason={0}", e.getMessage());
            if (key.isValid()) {
                key.interestOps(0);
                paused.add(key);
            }
        }
    }

    private void closeAll() {
        for (SelectionKey key : selector.keys()) {
            closeQuietly(key.channel());
        }
        closeQuietly(selector);
    }

    void close() {
        closing = true;
        selector.wakeup();
        if (!isCurrent()) {
            join();
        }
    }

    private void join() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "close-failed", e);
        }
    }
}
