package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.WriteResult;
import org.glassfish.grizzly.asyncqueue.WritableMessage;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.PlainHead;
import org.lrwp.webapp.servlet.ClientLink;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * A client's connection that is read before the container's filters. Plain requests for peers that
 * have come whole are answered here; with the first other octets the connection becomes the
 * container's for good, and nothing is lost: all that was read goes with it.
 *
 * <pre>
 *   WAITING --plain request--> ANSWERING --complete--> WAITING
 *      |                           +-----last one----> (closed)
 *      +--other octets--> CONTAINERS
 * </pre>
 *
 * <p>Purpose: what the container's filters do for a request costs more than the proxy's own part.
 * {@link LazyReads} keeps the state between WAITING and ANSWERING, as for the container's requests.
 * {@link #read} is called on the loop, all else by any thread; nothing blocks.
 */
final class DirectClient implements ClientLink {
    private static final System.Logger LOG = System.getLogger(DirectClient.class.getName());

    private final NIOConnection connection;
    private final SocketChannel channel;
    private final RunnerLoop loop;
    private final LazyReads reads;
    private final DirectClients clients;
    private final ClientConnection ends;
    private final KeepAliveLimits limits;
    private final IdleTime idle;
    private @Nullable PlainHead last;
    private boolean containers;
    private int requests;
    private volatile boolean ended;

    /** The container closes it some time later: nothing may be written until then. */
    private volatile boolean cut;

    private volatile @Nullable DirectAnswer answer;

    private DirectClient(
            NIOConnection connection,
            RunnerLoop loop,
            LazyReads reads,
            KeepAliveLimits limits,
            DirectClients clients,
            ClientConnection ends) {
        this.connection = connection;
        this.channel = (SocketChannel) connection.getChannel();
        this.loop = loop;
        this.reads = reads;
        this.clients = clients;
        this.ends = ends;
        this.limits = limits;
        this.idle = IdleTime.of(connection, limits.idleMillis(), clients.clock());
    }

    /** The client of a connection; null when it is not one that can be read here. */
    static @Nullable DirectClient of(
            NIOConnection connection,
            RunnerLoop loop,
            LazyReads reads,
            KeepAliveLimits limits,
            DirectClients clients) {
        ClientMemory memory = ClientMemory.of(connection, false);
        boolean readable =
                connection.getChannel() instanceof SocketChannel
                        && connection.getTransport() instanceof TCPNIOTransport
                        && connection.getProcessor() instanceof FilterChain;
        return memory == null || !readable
                ? null
                : new DirectClient(connection, loop, reads, limits, clients, memory.ends());
    }

    // ---- Reading.

    /**
     * Octets have come, and no request is being answered. On the loop.
     *
     * @return false when the container has to read them
     */
    boolean read() {
        DirectClients.Service service = clients.service();
        if (service == null || containers) {
            containers = true;
            return false;
        }
        ByteBuffer in = loop.request();
        try {
            if (channel.read(in) < 0) {
                leave();
            }
        } catch (IOException gone) {
            connection.terminateSilently();
        }
        if (in.flip().hasRemaining() && !take(in, service)) {
            containers = true;
            ContainerReads.goOn(connection, in.rewind(), reads);
        }
        return true;
    }

    /** The client sends nothing more; it may still read what waits for it. */
    private void leave() throws IOException {
        connection.disableIOEvent(IOEvent.READ);
        connection.closeSilently();
    }

    /** Takes a request; if it does not, nothing has happened but that octets were read. */
    private boolean take(ByteBuffer in, DirectClients.Service service) {
        PlainHead head = head(in);
        if (head == null) {
            return false;
        }
        long body = head.head().bodyLength();
        if (body > service.mostBody() || head.length() + body != in.remaining()) {
            return false;
        }
        in.position(head.length());
        var call = new DirectCall(this, head.head(), in);
        requests++;
        answer = call.answer();
        idle.stop();
        reads.begin();
        if (service.front().take(head.head(), this, () -> call)) {
            return true;
        }
        answer = null;
        awaitNext();
        return false;
    }

    private @Nullable PlainHead head(ByteBuffer in) {
        PlainHead known = last;
        if (known == null || !known.isAtStartOf(in)) {
            known = PlainHead.read(in, ends);
            last = known;
        }
        return known;
    }

    // ---- Writing.

    /** The buffer of the loop if it is this thread's and wide enough, else a new one. */
    ByteBuffer room(int octets) {
        return loop.isCurrent() && octets <= RunnerLoop.SCRATCH_SIZE
                ? loop.answer()
                : ByteBuffer.allocate(octets);
    }

    /**
     * Writes what the system takes now; the container's queue gets the rest.
     *
     * @param octets from {@link #room}, ready to be read
     * @throws IOException when the client is gone
     */
    void write(ByteBuffer octets) throws IOException {
        if (cut) {
            throw new ClosedChannelException();
        }
        try {
            if (pendingOctets() == 0) {
                channel.write(octets);
            }
        } catch (IOException e) {
            connection.terminateSilently();
            throw e;
        }
        if (octets.hasRemaining()) {
            ByteBuffer rest = ByteBuffer.allocate(octets.remaining()).put(octets).flip();
            Buffer wrapped = Buffers.wrap(connection.getTransport().getMemoryManager(), rest);
            queue(wrapped, new EmptyCompletionHandler<>());
        }
    }

    private void queue(
            Buffer octets, CompletionHandler<WriteResult<WritableMessage, SocketAddress>> then) {
        var transport = (TCPNIOTransport) connection.getTransport();
        transport.getAsyncQueueIO().getWriter().write(connection, octets, then);
    }

    /** Whether the connection ends with the present answer. */
    boolean isLast() {
        return ended || limits.areReached(requests);
    }

    /** For the head of the present answer. */
    HeadText text() {
        return loop.isCurrent() ? loop.text() : new HeadText();
    }

    NIOConnection connection() {
        return connection;
    }

    /** The answer is written; the next request may come. */
    void complete() {
        answer = null;
        if (cut) {
            return;
        }
        if (isLast()) {
            connection.closeSilently();
            return;
        }
        if (pendingOctets() == 0) {
            idle.start();
        } else {
            queue(Buffers.EMPTY_BUFFER, new Delivered());
        }
        awaitNext();
    }

    /**
     * The client has taken the whole answer: its silence counts from now, if no request has come.
     */
    private final class Delivered
            extends EmptyCompletionHandler<WriteResult<WritableMessage, SocketAddress>> {
        @Override
        public void completed(WriteResult<WritableMessage, SocketAddress> written) {
            if (answer == null) {
                idle.start();
            }
        }
    }

    private void awaitNext() {
        try {
            reads.end(connection);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "client-not-readable", e);
            connection.terminateSilently();
        }
    }

    // ---- The link of the present request.

    @Override
    public boolean hasWholeRequest() {
        return true;
    }

    @Override
    public void prepareAnswer(String reason) {
        DirectAnswer present = answer;
        if (present != null) {
            present.reason(reason);
        }
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public boolean keepsOpen() {
        return true;
    }

    @Override
    public boolean addOctets(String name, String value) {
        DirectAnswer present = answer;
        if (present != null) {
            present.add(name, value);
        }
        return true;
    }

    @Override
    public boolean setDate(String date) {
        DirectAnswer present = answer;
        if (present != null && !present.has("Date")) {
            present.add("Date", date);
        }
        return true;
    }

    @Override
    public long pendingOctets() {
        return connection.getAsyncWriteQueue().spaceInBytes();
    }

    @Override
    public void limitPending(int octets) {
        connection.setMaxAsyncWriteQueueSize(octets);
    }

    @Override
    public void cut(boolean reset) {
        cut = true;
        if (reset) {
            try {
                // Closing with a linger time of 0 sends a reset.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "no-reset", e);
            }
        }
        connection.terminateSilently();
    }
}
