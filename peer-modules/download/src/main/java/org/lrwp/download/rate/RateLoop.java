package org.lrwp.download.rate;

import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The one thread of the tree: it carries out what others ask for, and lets time pass a tick at a
 * time while somebody waits for it. Its methods may be called from any thread and return at once;
 * on its own thread they take effect before they return.
 */
public final class RateLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RateLoop.class.getName());

    private final RateTree tree;
    private final LongSupplier nanoTime;
    private final Queue<Consumer<RateTree>> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean idle;
    private volatile boolean closed;

    /**
     * Creates and starts the loop.
     *
     * @param limit of all together
     * @param nanoTime a clock like {@code System::nanoTime}
     */
    public RateLoop(Limit limit, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.tree = new RateTree(limit, nanoTime.getAsLong());
        this.thread = Thread.ofPlatform().daemon().name("download-rates").unstarted(this::run);
        thread.start();
    }

    /**
     * Does something with the tree, soon: within a tick.
     *
     * @param task run on the loop's thread; must not block
     */
    public void execute(Consumer<RateTree> task) {
        if (thread.equals(Thread.currentThread())) {
            task.accept(tree);
            return;
        }
        tasks.add(task);
        if (idle) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Does something with the tree at once, for whoever should not wait for a tick.
     *
     * @param task run on the loop's thread; must not block
     */
    public void hurry(Consumer<RateTree> task) {
        execute(task);
        LockSupport.unpark(thread);
    }

    /**
     * Says what a flow could send now.
     *
     * @param flow a flow of the tree
     * @param bytes the most that it can use
     */
    public void want(Flow flow, long bytes) {
        if (thread.equals(Thread.currentThread())) {
            tree.want(flow, bytes);
        } else {
            execute(of -> of.want(flow, bytes));
        }
    }

    /**
     * Takes back what was granted and not sent.
     *
     * @param flow whose grant it was
     * @param bytes what was not sent
     */
    public void giveBack(Flow flow, long bytes) {
        execute(of -> of.giveBack(flow, bytes));
    }

    /**
     * Removes a flow for ever.
     *
     * @param flow a flow of the tree
     */
    public void leave(Flow flow) {
        execute(of -> of.leave(flow));
    }

    private void run() {
        while (!closed) {
            try {
                turn();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "download-rates-fault", e);
            }
        }
    }

    private void turn() {
        tree.advance(nanoTime.getAsLong(), this::runTasks);
        runTasks();
        tree.advance(nanoTime.getAsLong(), this::runTasks);
        if (tree.isWaiting()) {
            LockSupport.parkNanos(
                    this, Wheel.TICK - Math.floorMod(nanoTime.getAsLong(), Wheel.TICK));
            return;
        }
        // Whoever adds a task from here on sees that it has to wake the thread.
        idle = true;
        if (tasks.isEmpty() && !closed) {
            LockSupport.park(this);
        }
        idle = false;
    }

    /** A download that begins does not wait for all that are due, who may be many after a pause. */
    private void runTasks() {
        for (Consumer<RateTree> task = tasks.poll(); task != null; task = tasks.poll()) {
            task.accept(tree);
        }
    }

    /** Ends the thread; what waits stays as it is. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
