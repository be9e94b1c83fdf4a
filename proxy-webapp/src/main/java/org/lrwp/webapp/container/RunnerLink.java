package org.lrwp.webapp.container;

import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.ProcessorResult;
import org.glassfish.grizzly.StandaloneProcessor;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.PeerAddress;
import org.lrwp.engine.transport.PeerSocket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A peer's connection on a selector thread of the container. It is its own processor: no filter, no
 * buffer of the container stands between socket and engine.
 */
final class RunnerLink extends StandaloneProcessor implements Link, PeerTurns.Peer {
    private static final System.Logger LOG = System.getLogger(RunnerLink.class.getName());

    private final NIOConnection connection;
    private final SocketChannel channel;
    private final PeerAddress remote;
    private final Consumer<RunnerLink> whenClosed;
    private volatile RunnerLoop loop;

    /** Gives the loop where it is to stay; null when it is there. */
    private volatile @Nullable Supplier<RunnerLoop> home;

    private LinkEvents events = LinkEvents.NOBODY;
    private boolean reads = true;
    private boolean awaitsWritable;

    /** Bytes have gone out since some came in. */
    private boolean awaited;

    /** The container closes it: whoever reads has to see that, even if it is not quite closed. */
    private volatile boolean ended;

    /**
     * Creates a link.
     *
     * @param connection the container's connection
     * @param loop the loop of its selector thread
     * @param home gives the loop where it is to stay once it is settled; null when it stays here
     * @param whenClosed told once by any thread, whoever closes it
     * @throws IOException when it is closed already
     */
    RunnerLink(
            NIOConnection connection,
            RunnerLoop loop,
            @Nullable Supplier<RunnerLoop> home,
            Consumer<RunnerLink> whenClosed)
            throws IOException {
        this.connection = connection;
        this.channel = (SocketChannel) connection.getChannel();
        this.loop = loop;
        this.home = home;
        this.whenClosed = whenClosed;
        this.remote = PeerAddress.of((InetSocketAddress) channel.getRemoteAddress());
    }

    // ---- Events of the container.

    @Override
    public boolean isInterested(IOEvent event) {
        return true;
    }

    @Override
    public ProcessorResult process(Context context) {
        handle(context.getIoEvent());
        return ProcessorResult.createComplete();
    }

    /** Handles an event; on the loop, but for the end, which may come from anywhere. */
    void handle(IOEvent event) {
        switch (event) {
            case READ, WRITE -> {
                // What the loop before has seen together with bytes that let it settle.
                if (loop.isCurrent()) {
                    RunnerLoop.guarded(event == IOEvent.READ ? this::readable : this::writable);
                }
            }
            case CLOSED -> {
                ended = true;
                whenClosed.accept(this);
                execute(this::readable);
            }
            default -> LOG.log(System.Logger.Level.DEBUG, "unknown-event name={0}", event);
        }
    }

    /** Bytes are there, or the end: then reading fails, and the owner lets go. */
    private void readable() {
        events.readable();
    }

    /** Looks once for bytes that are awaited; the selector has told nothing. On the loop. */
    @Override
    public void look() {
        boolean due = awaited && reads && !ended;
        forget();
        if (due) {
            RunnerLoop.guarded(this::readable);
        }
    }

    @Override
    public void forget() {
        awaited = false;
    }

    private void writable() {
        awaitsWritable = false;
        try {
            connection.disableIOEvent(IOEvent.WRITE);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "interest-failed", e);
        }
        events.writable();
    }

    // ---- The link.

    @Override
    public PeerAddress remote() {
        return remote;
    }

    @Override
    public void events(LinkEvents next) {
        events = next;
    }

    @Override
    public boolean isOnLoop() {
        return loop.isCurrent();
    }

    @Override
    public ByteBuffer scratch() {
        return loop.scratch();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (ended) {
            throw new ClosedChannelException();
        }
        int count = channel.read(target);
        awaited &= count <= 0;
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        if (!awaited && home == null) {
            awaited = true;
            loop.turns().written(this);
        }
        return sources.length == 1 ? channel.write(sources[0]) : channel.write(sources);
    }

    @Override
    public void awaitWritable() {
        awaitsWritable = true;
        interest(IOEvent.WRITE, true);
    }

    @Override
    public void reading(boolean on) {
        reads = on;
        interest(IOEvent.READ, on);
    }

    private void interest(IOEvent event, boolean on) {
        try {
            if (on) {
                connection.enableIOEvent(event);
            } else {
                connection.disableIOEvent(event);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "interest-failed", e);
        }
    }

    @Override
    public void execute(Runnable task) {
        RunnerLoop now = loop;
        if (home == null) {
            loop.execute(task);
        } else {
            now.execute(() -> executeOrFollow(now, task));
        }
    }

    /** It may have gone to another loop while the task waited for this one. */
    private void executeOrFollow(RunnerLoop here, Runnable task) {
        if (loop.equals(here)) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    @Override
    public void settle(Runnable then) {
        Supplier<RunnerLoop> next = home;
        if (next == null) {
            then.run();
            return;
        }
        LinkEvents owner = events;
        events = LinkEvents.NOBODY;
        try {
            connection.detachSelectorRunner();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "detach-failed", e);
        }
        loop = next.get();
        home = null;
        loop.execute(
                () -> {
                    events = owner;
                    arrive();
                    then.run();
                });
    }

    /** The owner of one that has not arrived sees that when it reads or writes. */
    private void arrive() {
        try {
            loop.adopt(connection);
            if (reads) {
                connection.enableIOEvent(IOEvent.READ);
            }
            if (awaitsWritable) {
                connection.enableIOEvent(IOEvent.WRITE);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "attach-failed", e);
            ended = true;
            close();
        }
    }

    @Override
    public void acknowledge() {
        PeerSocket.acknowledge(channel);
    }

    @Override
    public void shutdownOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void close() {
        events = LinkEvents.NOBODY;
        if (connection.getSelectorRunner() == null) {
            closeUnselected();
        } else {
            connection.terminateSilently();
        }
    }

    /** The container closes only what it selects. */
    private void closeUnselected() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "close-failed", e);
        }
        whenClosed.accept(this);
    }
}
