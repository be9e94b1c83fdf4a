package org.lrwp.webapp.edge;

import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.MalformedProxyHeaderException;
import org.lrwp.engine.request.ProxyHeader;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.MalformedRequestException;
import org.lrwp.webapp.client.ErrorAnswer;
import org.lrwp.webapp.container.ClientReader;
import org.lrwp.webapp.container.ContainerListener;
import org.lrwp.webapp.container.Http2Guard;
import org.lrwp.webapp.container.IdleTime;
import org.lrwp.webapp.container.LateContainer;
import org.lrwp.webapp.container.LazyReads;
import org.lrwp.webapp.container.ProxyHeaderTime;
import org.lrwp.webapp.files.FileSenders;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A client's connection, read before the container's filters, behind those of TLS. Each request is
 * read by the strict reader; one for a peer is answered here, any other is given to the container
 * in bytes that can be read in one way only, and the connection comes back after it.
 *
 * <pre>
 *   PROXY --its header is read--> HEAD, or HANDSHAKE
 *   HANDSHAKE --the container has agreed with the client--> HEAD, or PASSED with HTTP/2
 *   HEAD --for a peer--> ANSWERING --complete--> HEAD, or DROPPING what is left of the body
 *    | \--for the container--> CONTAINER --answered, and its body read--> HEAD
 *    |  |                 \--which is not there--> WAITING --it is--> CONTAINER
 *    |  \--another protocol--> PASSED (the container's for good)
 *    |      ANSWERING --the peer goes over to another protocol--> TUNNEL
 *    +--breaks a rule--> REFUSED (one error answer, then closed)
 * </pre>
 *
 * <p>{@link LazyReads} says when it may be read. {@link #read} and what it calls is on the loop,
 * all else by any thread; nothing blocks.
 */
final class EdgeConnection
        implements ClientReader, EdgeBody.Owner, EdgeTunnel.Owner, ContainerTurn.Owner {
    private enum State {
        PROXY,
        HANDSHAKE,
        HEAD,
        ANSWERING,
        DROPPING,
        WAITING,
        CONTAINER,
        PASSED,
        REFUSED,
        TUNNEL
    }

    /** What is done when the container is there, or cannot be had. */
    private interface Awaited {
        /**
         * The waiting is over. On the loop.
         *
         * @param bytes that have waited
         * @param refusal null when the container is there
         */
        void over(ByteBuffer bytes, @Nullable ErrorAnswer refusal);
    }

    /** How the connection is selected for reading again. */
    private interface Selection {
        void of(NIOConnection connection) throws IOException;
    }

    private static final System.Logger LOG = System.getLogger(EdgeConnection.class.getName());
    private static final long LINGER_MILLIS = 2_000;

    private final NIOConnection connection;
    private final EdgeLoop loop;
    private final LazyReads reads;
    private final Edge edge;
    private final ContainerListener listener;
    private final IdleTime idle;
    private final ContainerGate gate = new ContainerGate(this);
    private final @Nullable TlsWire tls;
    private final ClientWire wire;
    private final EdgeInput in;
    private final EdgeWriter out;

    private volatile State state;
    private volatile ClientConnection ends;

    private int requests;
    private boolean readByContainer;
    private boolean prefaceBegun;
    private volatile boolean timedByContainer;
    private volatile boolean ended;
    private volatile @Nullable EdgeStream stream;
    private volatile @Nullable ContainerTurn turn;
    private volatile @Nullable EdgeTunnel tunnel;

    private EdgeConnection(
            NIOConnection connection,
            EdgeLoop loop,
            LazyReads reads,
            ContainerListener listener,
            Edge edge,
            ClientConnection ends) {
        EdgeRouter router = edge.router();
        boolean secure = ContainerListener.isSecure((FilterChain) connection.getProcessor());
        this.tls =
                secure
                        ? new TlsWire(connection, loop, bytes -> gate.encrypt(connection, bytes))
                        : null;
        this.wire = tls == null ? new PlainWire(connection) : tls;
        this.connection = connection;
        this.loop = loop;
        this.in = new EdgeInput(wire, loop);
        this.out = new EdgeWriter(connection, wire, loop);
        this.reads = reads;
        this.edge = edge;
        this.ends = ends;
        this.listener = listener;
        this.idle = IdleTime.of(connection, listener.limits().idleMillis(), edge.clock());
        if (router != null && router.awaitsProxyHeader()) {
            state = State.PROXY;
        } else {
            state = begun(router);
        }
    }

    /** What reads a connection; null when it is not one that can be read here. */
    static @Nullable EdgeConnection of(
            NIOConnection connection,
            EdgeLoop loop,
            LazyReads reads,
            ContainerListener listener,
            Edge edge) {
        if (!(connection.getChannel() instanceof SocketChannel)
                || !(connection.getTransport() instanceof TCPNIOTransport)
                || !(connection.getProcessor() instanceof FilterChain chain)
                || !(connection.getPeerAddress() instanceof InetSocketAddress remote)
                || !(connection.getLocalAddress() instanceof InetSocketAddress local)) {
            return null;
        }
        var ends =
                new ClientConnection(
                        remote.getAddress(),
                        remote.getPort(),
                        local.getAddress().getHostAddress(),
                        local.getPort(),
                        ContainerListener.isSecure(chain));
        var made = new EdgeConnection(connection, loop, reads, listener, edge, ends);
        connection.setProcessor(made.gate.before(chain, loop));
        made.guard();
        return made;
    }

    /** Where the container speaks HTTP/2 its clients are guarded from their first byte on. */
    private void guard() {
        if (listener.http2()) {
            edge.guard(connection);
        }
    }

    // ---- Reading.

    @Override
    public boolean read() {
        switch (state) {
            case PROXY -> readProxyHeader();
            case HANDSHAKE -> {
                if (!endHandshake()) {
                    return false;
                }
                readHead();
            }
            case HEAD -> readHead();
            case ANSWERING -> readBody();
            case DROPPING -> drop();
            case REFUSED -> swallow();
            case TUNNEL -> readTunnel();
            case CONTAINER -> {
                readByContainer = true;
                return false;
            }
            case PASSED -> {
                return false;
            }
            case WAITING -> reads.begin();
        }
        return true;
    }

    /**
     * Whether the container has been told to read a part of its request, and has not yet got it:
     * when the request comes back meanwhile, what it reads is the next one. On the loop.
     */
    boolean isReadByContainer() {
        return readByContainer && loop.isCurrent();
    }

    @Override
    public void containerHasRead() {
        readByContainer = false;
    }

    @Override
    public boolean isAmid() {
        return switch (state) {
            case HEAD -> in.isKept();
            case PROXY, ANSWERING, DROPPING, WAITING, REFUSED, TUNNEL -> true;
            case HANDSHAKE, CONTAINER, PASSED -> false;
        };
    }

    @Override
    public boolean isContainers() {
        return state == State.HANDSHAKE || state == State.PASSED;
    }

    /**
     * A part of a head is the container's; what is left of a body is for nobody: the container
     * would take it for the next request.
     */
    @Override
    public void letGo() {
        switch (state) {
            case HANDSHAKE -> {
                state = State.PASSED;
                goOnDecrypted();
            }
            case HEAD -> {
                if (listener.late() != null) {
                    // The listener goes with the application: there is nobody for what follows.
                    connection.closeSilently();
                    return;
                }
                state = State.PASSED;
                ByteBuffer part = in.takeKept();
                if (part != null) {
                    ContainerReads.goOn(connection, gate, part, null, reads);
                }
            }
            case ANSWERING, DROPPING -> {
                EdgeStream present = stream;
                if (present != null && !present.body().isComplete()) {
                    connection.closeSilently();
                }
            }
            // By an end the client would believe that its peer has said all.
            case TUNNEL -> out.cut(true);
            // Nobody else would know whose requests follow.
            case PROXY, WAITING -> connection.closeSilently();
            case CONTAINER, PASSED, REFUSED -> {}
        }
    }

    /** Reads whose bytes follow. Without that nothing of the connection is believed. */
    private void readProxyHeader() {
        EdgeRouter router = edge.router();
        try {
            ByteBuffer bytes = tls == null ? in.read() : in.readProxyHeader(connection);
            if (bytes == null || router == null) {
                leave();
                return;
            }
            ProxyHeader header = router.proxyHeader(bytes, ends);
            if (header == null) {
                in.keep(bytes);
                return;
            }
            ProxyHeaderTime.end(connection);
            ends = header.on(ends);
            if (header.client() != null && !edge.admits(connection, ends.remoteAddress())) {
                connection.terminateSilently();
                return;
            }
            state = begun(router);
            if (state == State.HEAD) {
                idle.start();
                process(bytes);
            }
        } catch (MalformedProxyHeaderException e) {
            ProxyHeaderTime.end(connection);
            edge.proxyHeaderRefused(ends.remoteText(), e.getMessage());
            connection.terminateSilently();
        } catch (IOException gone) {
            connection.terminateSilently();
        }
    }

    /** What comes first, or behind a PROXY header. */
    private State begun(@Nullable EdgeRouter router) {
        if (tls == null) {
            return State.HEAD;
        }
        if (router != null) {
            idle.startFor(router.headMillis());
        }
        return State.HANDSHAKE;
    }

    /** False while the container has not agreed with the client, or when on HTTP/2. */
    private boolean endHandshake() {
        TlsWire agreed = tls;
        if (agreed == null || !agreed.isShaken()) {
            return false;
        }
        ends = agreed.described(ends);
        boolean ours = !agreed.isHttp2();
        state = ours ? State.HEAD : State.PASSED;
        if (ours) {
            idle.start();
        } else {
            Http2Guard.expect(connection);
        }
        return ours;
    }

    /** Goes on with what came together with the end of the handshake. On the loop. */
    void goOnDecrypted() {
        if (tls == null || !connection.isOpen()) {
            return;
        }
        if (state == State.HANDSHAKE && !endHandshake() && state == State.HANDSHAKE) {
            if (tls.isEnded()) {
                connection.closeSilently();
            }
            return;
        }
        ByteBuffer bytes = tls.take();
        if (bytes.hasRemaining()) {
            if (state == State.HEAD) {
                process(bytes);
            } else {
                ContainerReads.goOn(connection, gate, bytes, null, reads);
            }
        }
        try {
            tls.remind();
        } catch (IOException e) {
            connection.terminateSilently();
        }
    }

    private void readHead() {
        // What was read ahead is a request, or a part of one: the end behind it does not end that.
        goOn();
        if (state != State.HEAD) {
            return;
        }
        try {
            ByteBuffer bytes = in.read();
            if (bytes == null) {
                leave();
            } else {
                process(bytes);
            }
        } catch (IOException gone) {
            connection.terminateSilently();
        }
    }

    /** Goes on with what was read behind the last request. On the loop. */
    private void goOn() {
        if (state == State.HEAD && !in.isHeadBegun() && connection.isOpen()) {
            ByteBuffer bytes = in.takeKept();
            if (bytes != null) {
                process(bytes);
            }
        }
    }

    /** Takes requests out of bytes that begin with one, as long as each is over at once. */
    private void process(ByteBuffer bytes) {
        while (state == State.HEAD && bytes.hasRemaining()) {
            EdgeRouter router = edge.router();
            if (router == null) {
                pass(bytes);
                return;
            }
            if (requests == 0 && listener.http2() && Http2Preface.isBegun(bytes)) {
                awaitPreface(router, bytes);
                return;
            }
            boolean fresh = !in.isHeadBegun();
            HttpHead head;
            try {
                head = in.head(bytes, router.headLimit());
            } catch (MalformedRequestException e) {
                refuse(router, BadRequestException.of(e), bytes);
                return;
            }
            if (head != null) {
                take(router, head, bytes);
            } else if (fresh) {
                idle.startFor(router.headMillis());
            }
        }
        if (bytes.hasRemaining() && state != State.PASSED && state != State.REFUSED) {
            in.keep(bytes);
            // The present request may have ended meanwhile, on another thread that saw nothing.
            goOn();
        }
    }

    /** HTTP/2 is the container's. */
    private void awaitPreface(EdgeRouter router, ByteBuffer bytes) {
        if (Http2Preface.isIn(bytes)) {
            pass(bytes);
            return;
        }
        in.keep(bytes);
        if (!prefaceBegun) {
            prefaceBegun = true;
            idle.startFor(router.headMillis());
        }
    }

    private void take(EdgeRouter router, HttpHead head, ByteBuffer bytes) {
        requests++;
        idle.stop();
        try {
            RequestHead checked = router.identified(RequestHead.of(head, ends));
            EdgeRouter.Route route = router.route(checked);
            if (route.isHere()) {
                answer(router, route, checked, bytes);
            } else {
                ContainerTurn.requireReadable(checked);
                give(router, checked, route.isForPeer(), bytes);
            }
        } catch (BadRequestException e) {
            refuse(router, e, ByteBuffer.wrap(head.bytes()));
        }
    }

    /** A request for a peer, or one that is refused. */
    private void answer(
            EdgeRouter router, EdgeRouter.Route route, RequestHead head, ByteBuffer bytes)
            throws BadRequestException {
        var body = EdgeBody.of(this, head.bytes(), bytes);
        var fresh = new EdgeStream(this, head, body, router);
        state = State.ANSWERING;
        stream = fresh;
        cancelContainerTimer();
        idle.stop();
        reads.begin();
        if (body.isAwaitedBy(head.bytes())) {
            // Whatever the answer will be: then the end of the body is known.
            out.tellToContinue();
        }
        router.take(route, head, fresh);
    }

    private void give(EdgeRouter router, RequestHead head, boolean forPeer, ByteBuffer bytes) {
        if (waits(bytes, (rest, why) -> giveOrRefuse(router, head, forPeer, rest, why))) {
            return;
        }
        var next = new ContainerTurn(this, head, forPeer, listener.http2());
        turn = next.isForGood() ? null : next;
        state = next.isForGood() ? State.PASSED : State.CONTAINER;
        try {
            ContainerReads.goOn(connection, gate, next.begin(bytes), next.whenDone(), reads);
        } catch (MalformedRequestException e) {
            // The container would take the rest of such a body for something else.
            refuse(router, BadRequestException.of(e), bytes);
        }
    }

    private void giveOrRefuse(
            EdgeRouter router,
            RequestHead head,
            boolean forPeer,
            ByteBuffer bytes,
            @Nullable ErrorAnswer refusal) {
        if (refusal == null) {
            give(router, head, forPeer, bytes);
            return;
        }
        try {
            answer(router, EdgeRouter.Route.refused(refusal), head, bytes);
        } catch (BadRequestException e) {
            refuse(router, e, bytes);
        }
    }

    /**
     * Has a connection wait for a container that is not there; one that has come has its filters
     * put behind those of the connection.
     *
     * @param bytes kept meanwhile
     * @return false when the container is there
     */
    private boolean waits(ByteBuffer bytes, Awaited then) {
        LateContainer late = listener.late();
        if (late == null) {
            return false;
        }
        if (late.isUp()) {
            late.join(connection);
            guard();
            return false;
        }
        state = State.WAITING;
        idle.stop();
        reads.begin();
        in.keep(bytes);
        late.whenUp(refusal -> loop.execute(() -> waited(then, refusal)));
        return true;
    }

    private void waited(Awaited then, @Nullable ErrorAnswer refusal) {
        if (state != State.WAITING || !connection.isOpen()) {
            return;
        }
        state = State.HEAD;
        awaitBytes();
        ByteBuffer kept = in.takeKept();
        ByteBuffer bytes = kept == null ? ByteBuffer.allocate(0) : kept;
        then.over(bytes, refusal);
        if (bytes.hasRemaining() && state != State.PASSED && state != State.REFUSED) {
            in.keep(bytes);
            goOn();
        }
    }

    /** Another protocol, or nobody who reads requests any more: all of it is the container's. */
    private void pass(ByteBuffer bytes) {
        if (waits(bytes, this::passOrClose)) {
            return;
        }
        state = State.PASSED;
        ContainerReads.goOn(connection, gate, bytes, null, reads);
    }

    private void passOrClose(ByteBuffer bytes, @Nullable ErrorAnswer refusal) {
        if (refusal == null) {
            pass(bytes);
        } else {
            connection.closeSilently();
        }
    }

    /** Nothing that follows is believed. */
    private void refuse(EdgeRouter router, BadRequestException why, ByteBuffer from) {
        state = State.REFUSED;
        ended = true;
        reads.begin();
        var fresh = new EdgeStream(this, null, EdgeBody.none(this), router);
        stream = fresh;
        router.refuse(why, from, ends, fresh);
    }

    private void readBody() {
        EdgeStream present = stream;
        if (present == null) {
            return;
        }
        reads.begin();
        EdgeBody body = present.body();
        if (!body.isAwaited()) {
            // Whoever has ended the last request may have asked for more, which is not for this.
            return;
        }
        try {
            ByteBuffer bytes = in.read(body);
            if (bytes == null) {
                body.breakOff(new EOFException("client left amid its request"));
            } else {
                body.come(bytes);
            }
        } catch (IOException gone) {
            body.breakOff(gone);
        }
        dropped();
    }

    @Override
    public void keep(ByteBuffer rest) {
        in.keep(rest);
        if (state == State.HEAD && in.isKept()) {
            // It came back meanwhile, on another thread that saw nothing of these bytes.
            loop.execute(this::goOn);
        }
    }

    private void drop() {
        EdgeStream present = stream;
        if (present == null) {
            return;
        }
        try {
            ByteBuffer bytes = in.read(present.body());
            if (bytes == null) {
                leave();
                return;
            }
            present.body().drop(bytes);
        } catch (IOException e) {
            connection.terminateSilently();
            return;
        }
        dropped();
    }

    /** Goes on when the rest of a request has come that is answered. On the loop. */
    private void dropped() {
        EdgeStream present = stream;
        if (state == State.DROPPING && present != null && present.body().isComplete()) {
            over();
            goOn();
        }
    }

    /** Reads on, so that the client gets to read its error. */
    private void swallow() {
        try {
            if (in.read() == null) {
                leave();
            }
        } catch (IOException gone) {
            connection.terminateSilently();
        }
    }

    /** The client sends nothing more; it may still read what waits for it. */
    private void leave() throws IOException {
        connection.disableIOEvent(IOEvent.READ);
        wire.close();
    }

    @Override
    public boolean watch() {
        EdgeStream present = stream;
        ContainerTurn given = turn;
        boolean whole =
                switch (state) {
                    case ANSWERING -> present != null && present.body().isComplete();
                    case CONTAINER -> given != null && given.isWhole();
                    case PROXY, HANDSHAKE, HEAD, DROPPING, WAITING, PASSED, REFUSED, TUNNEL ->
                            false;
                };
        if (!whole || in.isFull() || (tls != null && !tls.isShaken())) {
            return false;
        }
        try {
            if (in.readAhead()) {
                // The present request may have ended meanwhile, on another thread that saw nothing.
                goOn();
                return true;
            }
            EdgeRouter router = edge.router();
            boolean answerable = tls == null || tls.isAnswerable();
            if (answerable && router != null && router.allowsHalfClose()) {
                return false;
            }
        } catch (IOException reset) {
            LOG.log(Level.DEBUG, "client-reset", reset);
        }
        depart();
        return false;
    }

    /** Whatever is under way is for nobody any more. */
    private void depart() {
        EdgeStream present = stream;
        ContainerTurn given = turn;
        EdgeTunnel open = tunnel;
        if (open != null) {
            open.cut();
        } else if (present != null && state == State.ANSWERING) {
            present.depart();
        } else if (given != null) {
            given.depart();
        }
    }

    /** A container that stops closes connections of which the selector then tells nothing. */
    @Override
    public void closed() {
        loop.execute(this::depart);
    }

    @Override
    public void watchAgain() {
        loop.execute(() -> select(reads::watch));
    }

    // ---- Another protocol.

    /**
     * Gives the connection to a tunnel, when the client has been told. Any thread.
     *
     * @param next what carries its bytes from now on
     */
    void tunnel(EdgeTunnel next) {
        tunnel = next;
        // On the loop, which may be reading ahead for the request that this has been.
        loop.execute(
                () -> {
                    state = State.TUNNEL;
                    awaitBytes();
                    if (in.isKept()) {
                        readTunnel();
                    }
                });
    }

    private void readTunnel() {
        EdgeTunnel open = tunnel;
        if (open != null) {
            open.read(in);
        }
    }

    @Override
    public void endOutput() {
        wire.endOutput();
    }

    @Override
    public void close() {
        wire.close();
    }

    // ---- Requests in the hands of the container.

    @Override
    public @Nullable ContainerTurn given() {
        return turn;
    }

    /** Whether bytes that the container reads are cut into requests here. Any thread. */
    boolean isGated() {
        return state == State.CONTAINER;
    }

    @Override
    public void comeBack(ContainerTurn done) {
        if (state != State.CONTAINER || turn != done) {
            return;
        }
        turn = null;
        timedByContainer = true;
        if (ended) {
            // What lies behind the last request is for nobody.
            state = State.REFUSED;
            wire.close();
            return;
        }
        state = State.HEAD;
        if (in.isKept()) {
            loop.execute(this::goOn);
        }
    }

    @Override
    public void idleTimeBegun() {
        if (state == State.ANSWERING || state == State.TUNNEL) {
            idle.stop();
            if (state == State.HEAD) {
                startIdleTime();
            }
        }
    }

    /**
     * The container closes a connection that it has not heard of for a while, and knows nothing of
     * the requests that are answered here: it is told that the next request may begin.
     */
    private void cancelContainerTimer() {
        if (timedByContainer) {
            timedByContainer = false;
            ContainerReads.wake(connection, gate);
        }
    }

    // ---- The present request.

    EdgeWriter out() {
        return out;
    }

    /** Who sends files past the container's filters; null when nobody may. Any thread. */
    @Nullable FileSenders senders() {
        return tls == null ? edge.senders() : null;
    }

    /** Its TLS; null when it has none. Any thread. */
    @Nullable TlsWire tls() {
        return tls;
    }

    @Override
    public boolean isShaking() {
        return state == State.HANDSHAKE;
    }

    @Override
    public ClientConnection ends() {
        return ends;
    }

    boolean isLast() {
        return ended || listener.limits().areReached(requests);
    }

    @Override
    public void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** The present request has been answered. Any thread. */
    void complete() {
        EdgeStream present = stream;
        if (out.isCut() || present == null || state == State.TUNNEL) {
            return;
        }
        if (present.body().isComplete()) {
            over();
            if (state == State.HEAD && in.isKept()) {
                loop.execute(this::goOn);
            }
        } else if (isLast()) {
            state = State.REFUSED;
            linger();
        } else {
            state = State.DROPPING;
            EdgeRouter router = edge.router();
            if (router == null) {
                idle.start();
            } else {
                idle.startFor(router.restMillis());
            }
            awaitBytes();
            // The rest may have come meanwhile, on the loop, which saw nobody drop it.
            loop.execute(this::dropped);
        }
    }

    /** The request has been read to its end, and answered. */
    private void over() {
        if (state == State.REFUSED) {
            linger();
            return;
        }
        if (isLast()) {
            wire.close();
            return;
        }
        stream = null;
        state = State.HEAD;
        out.whenTaken(this::startIdleTime);
        awaitBytes();
    }

    /**
     * Closes in a way that lets the client read its error: with bytes that nobody has read the
     * system would reset the connection, and throw the answer away.
     */
    private void linger() {
        out.whenTaken(
                () -> {
                    endOutput();
                    idle.startFor(LINGER_MILLIS);
                    awaitBytes();
                });
    }

    /** The client has taken the whole answer: its silence counts from now, if it is silent. */
    private void startIdleTime() {
        // A head that has begun has a time of its own.
        if (state == State.HEAD && !in.isKept()) {
            idle.start();
            if (state != State.HEAD) {
                // The next request has begun on the loop, and must not be ended by this time.
                idle.stop();
            }
        }
    }

    @Override
    public ByteBuffer memory(int bytes) {
        return loop.bodies().take(bytes);
    }

    /** The loops' own threads keep it. */
    @Override
    public void giveBack(ByteBuffer memory) {
        EdgeLoop here = loop.here();
        if (here != null) {
            here.bodies().give(memory);
        }
    }

    @Override
    public void awaitNothing() {
        reads.begin();
    }

    @Override
    public void awaitBytes() {
        select(reads::end);
    }

    private void select(Selection selection) {
        try {
            selection.of(connection);
            if (tls != null) {
                tls.remind();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "client-not-readable", e);
            connection.terminateSilently();
        }
    }
}
