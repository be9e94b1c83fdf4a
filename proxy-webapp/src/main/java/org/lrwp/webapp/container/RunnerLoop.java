package org.lrwp.webapp.container;

import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.SelectorHandler;
import org.glassfish.grizzly.nio.SelectorRunner;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Wakeups;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One selector thread of the container as the loop of peers' connections. Tasks that come in one
 * round of the selector run together, after all that was ready in it and before the next wait.
 *
 * <p>When the container has ended the thread, tasks run on another one, one after the other, so
 * that connections can end in order. {@link #execute} and {@link #isCurrent} may be called by any
 * thread; none blocks.
 */
public final class RunnerLoop implements OrphanTasks.Loop {
    private static final System.Logger LOG = System.getLogger(RunnerLoop.class.getName());

    /** Bytes of its buffer. */
    static final int SCRATCH_SIZE = 64 * 1024;

    private static final int MOST_TASKS = 1024;

    private final TCPNIOTransport transport;
    private final SelectorRunner runner;
    private final OrphanTasks orphans;
    private final Collection<RunnerLoop> loops;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Those of the thread itself, which are most; until it has ended nobody else looks at them. */
    private final Queue<Runnable> own = new ArrayDeque<>();

    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_SIZE);
    private final PeerTurns turns = new PeerTurns(() -> runEach(own::poll));
    private final Unrun unrun = new Unrun();
    private final Runnable wake = this::schedule;

    /**
     * Creates a loop.
     *
     * @param transport the thread's owner
     * @param runner the thread
     * @param orphans runs what is left when the thread has ended
     * @param loops of all threads of the transport, as they are at any time
     */
    RunnerLoop(
            TCPNIOTransport transport,
            SelectorRunner runner,
            OrphanTasks orphans,
            Collection<RunnerLoop> loops) {
        this.transport = transport;
        this.runner = runner;
        this.orphans = orphans;
        this.loops = loops;
    }

    ByteBuffer scratch() {
        return scratch.clear();
    }

    /** When peers are let in between clients. */
    PeerTurns turns() {
        return turns;
    }

    /**
     * Returns the loop of the calling thread.
     *
     * @return this one or another of the transport; null elsewhere
     */
    public @Nullable RunnerLoop here() {
        return isCurrent() ? this : current(loops);
    }

    /** That of some loops which is the calling thread's; null when none is. Any thread. */
    static @Nullable RunnerLoop current(Collection<RunnerLoop> some) {
        for (RunnerLoop one : some) {
            if (one.isCurrent()) {
                return one;
            }
        }
        return null;
    }

    /**
     * Says whether the calling thread is the loop's.
     *
     * @return any thread may ask
     */
    public boolean isCurrent() {
        return Thread.currentThread().equals(runner.getRunnerThread());
    }

    /**
     * Says whether the container has ended the thread.
     *
     * @return whether it handles no event any more
     */
    @Override
    public boolean hasEnded() {
        return runner.getState() == Transport.State.STOPPED;
    }

    /**
     * Selects a connection that no thread selects, for nothing yet. On the loop.
     *
     * @throws IOException when it is closed, or the container has ended the thread
     */
    void adopt(NIOConnection connection) throws IOException {
        if (!isCurrent()) {
            throw new IOException("the container has ended the thread");
        }
        connection.attachToSelectorRunner(runner);
    }

    /** The keys of all connections on the thread; to be asked on it. */
    Set<SelectionKey> keys() {
        return runner.getSelector().keys();
    }

    /**
     * Runs a task on the loop, or on another thread when the container has ended it.
     *
     * @param task must not block; any thread may give it
     */
    public void execute(Runnable task) {
        boolean mine = isCurrent() && runner.getState() == Transport.State.STARTED;
        (mine ? own : tasks).add(task);
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            if (mine) {
                schedule();
            } else {
                Wakeups.wake(wake);
            }
        }
    }

    /**
     * Runs a task behind the next look at the selector, when what has been closed before is really
     * gone; at once when the thread has ended.
     */
    void afterNextSelect(Runnable task) {
        SelectorHandler handler = transport.getSelectorHandler();
        var ended =
                new EmptyCompletionHandler<SelectorHandler.Task>() {
                    @Override
                    public void failed(Throwable dropped) {
                        task.run();
                    }
                };
        SelectorHandler.Task then =
                () -> {
                    task.run();
                    return true;
                };
        handler.enque(
                runner,
                () -> {
                    // From the thread itself it is kept for the round that follows.
                    handler.enque(runner, then, ended);
                    return true;
                },
                ended);
    }

    private void schedule() {
        transport.getSelectorHandler().enque(runner, this, unrun);
    }

    /** Runs what has come; called by the loop's thread, or when it has ended. */
    @Override
    public boolean run() {
        turns.newRound();
        runEach(tasks::poll);
        // Behind those of other threads: what many of them give one connection is written at once.
        runEach(own::poll);
        scheduled.set(false);
        if (!(own.isEmpty() && tasks.isEmpty()) && scheduled.compareAndSet(false, true)) {
            schedule();
        }
        return true;
    }

    /** Not without end: tasks that add tasks must not keep events waiting. */
    private static void runEach(Supplier<@Nullable Runnable> next) {
        for (int i = 0; i < MOST_TASKS; i++) {
            Runnable task = next.get();
            if (task == null) {
                return;
            }
            guarded(task);
        }
    }

    /** Runs something; a fault of one connection must not end the container's thread. */
    static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "loop-task-failed", e);
        }
    }

    /** Told when the container drops a task because it ends the thread. */
    private final class Unrun extends EmptyCompletionHandler<SelectorHandler.Task> {
        @Override
        public void failed(Throwable dropped) {
            orphans.adopt(RunnerLoop.this);
        }
    }
}
