package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.PlainHead;
import org.lrwp.webapp.files.FileSenders;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A client's connection that is read before the container's filters. Plain requests for peers are
 * answered here; with the first other octets the connection becomes the container's for good, and
 * nothing is lost: all that was read goes with it.
 *
 * <pre>
 *   WAITING --whole plain head--> ANSWERING --complete--> WAITING, DROPPING what is left of the body
 *    |   +--part of one--> BEGUN      +-------last one--> (closed)
 *    +--other octets--> CONTAINERS
 * </pre>
 *
 * <p>Purpose: what the container's filters do for a request costs more than the proxy's own part.
 * {@link LazyReads} keeps the state between WAITING and ANSWERING, as for the container's requests.
 * {@link #read} is called on the loop, all else by any thread; nothing blocks.
 */
final class DirectClient implements AnsweredLink {
    private static final System.Logger LOG = System.getLogger(DirectClient.class.getName());

    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final NIOConnection connection;
    private final SocketChannel channel;
    private final RunnerLoop loop;
    private final DirectWriter out;
    private final LazyReads reads;
    private final DirectClients clients;
    private final ClientConnection ends;
    private final KeepAliveLimits limits;
    private final IdleTime idle;
    private @Nullable PlainHead last;

    /** A part of a head; null when there is none. On the loop. */
    private @Nullable ByteBuffer begun;

    private boolean containers;
    private int requests;
    private volatile boolean ended;

    private volatile @Nullable DirectAnswer answer;
    private volatile @Nullable DirectInput body;

    /** Octets of an answered request that nobody wanted, and that are still to come. */
    private volatile long unwanted;

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
        this.out = new DirectWriter(connection, loop);
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
     * Octets have come, for the next request or for the body of the present one. On the loop.
     *
     * @return false when the container has to read them
     */
    boolean read() {
        DirectInput present = body;
        if (containers || (clients.service() == null && !isAmid())) {
            containers = true;
            return false;
        }
        if (present != null) {
            readBody(present);
        } else if (unwanted > 0) {
            drop();
        } else {
            readHead(clients.service());
        }
        return true;
    }

    /** Whether it has read a part of a request, so that the rest is for nobody else. */
    boolean isAmid() {
        return !containers && (body != null || unwanted > 0 || begun != null);
    }

    /**
     * The application lets go of the connection. A part of a head is the container's; what is left
     * of a body is for nobody: the container would take it for the next request. On the loop.
     */
    void letGo() {
        ByteBuffer part = begun;
        if (containers) {
            return;
        }
        if (part != null) {
            begun = null;
            containers = true;
            ContainerReads.goOn(connection, part, reads);
        } else if (!hasWholeRequest() || unwanted > 0) {
            // In this order: what a body has not brought becomes unwanted before the body goes.
            connection.closeSilently();
        }
    }

    private void readBody(DirectInput present) {
        reads.begin();
        ByteBuffer in = atMost(present.missing());
        try {
            if (channel.read(in) >= 0) {
                present.come(in.flip());
            } else {
                present.breakOff(new EOFException("client left amid its request"));
            }
        } catch (IOException gone) {
            present.breakOff(gone);
        }
    }

    private void drop() {
        ByteBuffer in = atMost(unwanted);
        if (fill(in)) {
            long left = unwanted - in.position();
            unwanted = left;
            if (left == 0 && isLast()) {
                connection.closeSilently();
            }
        }
    }

    /** The next request must not be read with the body of the present one. */
    private ByteBuffer atMost(long octets) {
        ByteBuffer in = loop.request();
        return in.limit((int) Math.min(in.capacity(), octets));
    }

    private void readHead(DirectClients.@Nullable Service service) {
        ByteBuffer in = loop.request();
        ByteBuffer part = begun;
        if (part != null) {
            in.put(part);
        }
        begun = null;
        if (!fill(in) || !in.flip().hasRemaining() || (service != null && take(in, service))) {
            return;
        }
        if (service != null && PlainHead.isBegun(in.rewind())) {
            if (part == null) {
                // The whole head must come in the time that the container gives for it.
                idle.start();
            }
            begun = ByteBuffer.allocate(in.remaining()).put(in).flip();
        } else {
            containers = true;
            ContainerReads.goOn(connection, in.rewind(), reads);
        }
    }

    /** Reads what has come; false when the client has left. */
    private boolean fill(ByteBuffer in) {
        try {
            if (channel.read(in) >= 0) {
                return true;
            }
            leave();
        } catch (IOException gone) {
            connection.terminateSilently();
        }
        return false;
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
        long length = head.head().bodyLength();
        in.position(head.length());
        if (length > service.mostBody() || in.remaining() > length) {
            return false;
        }
        boolean waits = head.expectsContinue() && length > 0 && !in.hasRemaining();
        var input = new DirectInput(this, length, in);
        var call = new DirectCall(this, head.head(), input);
        requests++;
        body = input;
        answer = call.answer();
        idle.stop();
        reads.begin();
        if (service.front().take(head.head(), this, () -> waits ? told(call) : call)) {
            return true;
        }
        body = null;
        answer = null;
        awaitOctets();
        return false;
    }

    /** Tells the client to send the body, whatever the answer will be: then its end is known. */
    private DirectCall told(DirectCall call) {
        try {
            out.write(out.room(CONTINUE.length).put(CONTINUE).flip());
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "client-not-told", gone);
        }
        return call;
    }

    private @Nullable PlainHead head(ByteBuffer in) {
        PlainHead known = last;
        if (known != null && known.isAtStartOf(in)) {
            return known;
        }
        PlainHead like = known == null ? null : known.withTargetOf(in);
        PlainHead head = like == null ? PlainHead.read(in, ends) : like;
        last = head;
        return head;
    }

    // ---- Writing.

    @Override
    public DirectWriter out() {
        return out;
    }

    @Override
    public @Nullable DirectAnswer answer() {
        return answer;
    }

    @Override
    public boolean isLast() {
        return ended || limits.areReached(requests);
    }

    @Override
    public void begun() {}

    /** The next request may come. */
    @Override
    public void complete() {
        DirectInput present = body;
        unwanted = present == null ? 0 : present.missing();
        body = null;
        answer = null;
        if (out.isCut()) {
            return;
        }
        if (isLast() && unwanted == 0) {
            connection.closeSilently();
            return;
        }
        out.whenTaken(this::startIdleTime);
        awaitOctets();
    }

    /**
     * The client has taken the whole answer: its silence counts from now, if no request has come.
     */
    private void startIdleTime() {
        if (answer == null) {
            idle.start();
        }
    }

    /** The client may send more: of its request, or the next one. Any thread. */
    void awaitOctets() {
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
        DirectInput present = body;
        return present == null || present.missing() == 0;
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
    public @Nullable FileSenders senders() {
        return clients.senders();
    }
}
