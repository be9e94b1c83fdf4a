package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.LinkSecurity;
import org.lrwp.engine.transport.PeerAddress;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * The server's side of TLS 1.3 over a plain link. Its states are drawn at {@link TlsState}.
 *
 * <p>Purpose: whoever owns it need not know that it is inside TLS. Design: records are read into
 * and written from buffers that the thread's links share; a link keeps only what cannot go on now:
 * the beginning of a record, or records that the connection does not take. The computations of a
 * handshake run on other threads, one connection's at a time, where addresses take turns; nothing
 * is read meanwhile.
 *
 * <p>Ordering promises: bytes count as written once they are encrypted; up to 64 KiB may then wait
 * for the connection, and until they have gone no more are taken. The end of output follows behind
 * them. Bytes that are decrypted are told of without another event of the connection. An end of the
 * connection without close_notify is a failure, not the end of input: RFC 8446 section 6.1.
 *
 * <p>All but {@link #execute}, {@link #remote} and {@link #isOnLoop} belongs to the link's loop.
 */
final class TlsLink implements Link {
    private static final System.Logger LOG = System.getLogger(TlsLink.class.getName());
    private static final ByteBuffer[] NOTHING = {};

    /** Records in a row that bring no bytes, such as changes of the key. */
    private static final int MOST_QUIET = 64;

    /** Bytes of answers to changes of the key that may wait for a peer that does not read. */
    private static final int MOST_UNSENT = 128 * 1024;

    private final Link plain;
    private final Supplier<SSLEngine> engines;
    private final Proof proof;
    private final HandshakeTurns turns;
    private final TlsBuffers buffers;
    private final HandshakeCounts counts;

    /** Ciphertext that does not make a record yet. */
    private final KeptBytes arrived = new KeptBytes();

    /** What of a record did not fit the reader's buffer. */
    private final KeptBytes content = new KeptBytes();

    /** Ciphertext that the connection has not taken. */
    private final KeptBytes unsent = new KeptBytes();

    private LinkEvents events = LinkEvents.NOBODY;

    /** Changed by the loop; a thread that computes looks whether it is still wanted. */
    private volatile TlsState state = TlsState.HANDSHAKE;

    /** Made for the first bytes: who says nothing costs none. */
    private @Nullable SSLEngine engine;

    private @Nullable LinkSecurity security;
    private @Nullable IOException failure;
    private boolean reading = true;
    private boolean awaitsWritable;
    private boolean telling;
    private boolean heard;

    /** Whether a part of its handshake has been computed. */
    private boolean computed;

    private int quiet;

    /** Looks at what a peer has proved. */
    @FunctionalInterface
    interface Proof {
        /**
         * A handshake is over.
         *
         * @param chain the peer's; empty when it has shown none
         * @throws SSLException when it does not count any more
         */
        void check(List<X509Certificate> chain) throws SSLException;
    }

    TlsLink(
            Link plain,
            Supplier<SSLEngine> engines,
            Proof proof,
            HandshakeTurns turns,
            TlsBuffers buffers,
            HandshakeCounts counts) {
        this.counts = counts;
        this.plain = plain;
        this.engines = engines;
        this.proof = proof;
        this.turns = turns;
        this.buffers = buffers;
    }

    /** Begins to wait for the peer. */
    TlsLink start() {
        plain.events(new Records());
        return this;
    }

    /** What the plain link tells. */
    private final class Records implements LinkEvents {
        @Override
        public void readable() {
            switch (state) {
                case HANDSHAKE -> proceed();
                case OPEN, SHUT, FAILED -> events.readable();
                case REFUSED -> drop();
                case COMPUTING, CLOSED -> {}
            }
        }

        @Override
        public void writable() {
            sendMore();
        }
    }

    // ---- The handshake.

    private void proceed() {
        try {
            handshake();
        } catch (IOException e) {
            refuse(e);
        }
        if (state == TlsState.OPEN) {
            plain.reading(reading);
            // The peer's first bytes may have come with its last message.
            events.readable();
        }
    }

    private void handshake() throws IOException {
        ByteBuffer in = buffers.in();
        boolean ended = receive(in, in.capacity());
        events.progress();
        begin(ended);
        while (state == TlsState.HANDSHAKE) {
            switch (engine().getHandshakeStatus()) {
                case NEED_TASK -> compute();
                case NEED_WRAP -> sendRecords();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    SSLEngineResult result = engine().unwrap(in, buffers.content());
                    if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                        requireMore(ended);
                        arrived.keep(in);
                        return;
                    }
                    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                        throw new EOFException("the peer ended the TLS handshake");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    security = proved();
                    state = TlsState.OPEN;
                    counts.done();
                }
            }
        }
        arrived.keep(in);
    }

    /** A session that was resumed has had its peer's chain checked when it began, not now. */
    private LinkSecurity proved() throws IOException {
        LinkSecurity said = PeerSession.of(engine());
        try {
            proof.check(said.peerCertificates());
        } catch (SSLException e) {
            // TLS is in order, so that no alert would be sent: the peer is told of the end.
            engine().closeOutbound();
            throw e;
        }
        return said;
    }

    private void begin(boolean ended) throws IOException {
        if (engine == null) {
            if (!heard) {
                requireMore(ended);
            }
            SSLEngine made = engines.get();
            engine = made;
            made.beginHandshake();
        }
    }

    private SSLEngine engine() {
        return Objects.requireNonNull(engine, "nothing has come yet");
    }

    private static void requireMore(boolean ended) throws EOFException {
        if (ended) {
            throw new EOFException("the connection ended without close_notify");
        }
    }

    /** Lets another thread compute when it is this address's turn, and goes on when it has. */
    private void compute() {
        state = TlsState.COMPUTING;
        plain.reading(false);
        turns.await(plain.remote().address(), computed, new Computation());
    }

    private final class Computation implements HandshakeTurns.Turn {
        @Override
        public void compute() {
            runTasks();
        }

        @Override
        public void drop() {
            plain.execute(TlsLink.this::dropped);
        }
    }

    private void dropped() {
        if (state == TlsState.COMPUTING) {
            refuse(new IOException("no TLS handshake is begun any more"));
        }
    }

    /** Does nothing for a connection that is closed: it may have waited here for its turn. */
    private void runTasks() {
        if (state != TlsState.COMPUTING) {
            return;
        }
        try {
            for (Runnable task = engine().getDelegatedTask();
                    task != null;
                    task = engine().getDelegatedTask()) {
                task.run();
            }
        } finally {
            plain.execute(this::goOn);
        }
    }

    private void goOn() {
        if (state == TlsState.COMPUTING) {
            computed = true;
            state = TlsState.HANDSHAKE;
            plain.reading(true);
            proceed();
        }
    }

    /** The handshake has failed: the peer is told why, and gets time to read it. */
    private void refuse(IOException fault) {
        String reason = TlsReason.of(fault);
        if (heard) {
            counts.refused(plain.remote(), reason);
        } else {
            // Who connects and says nothing most likely only asks whether the port is open.
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "tls-refused peer={0} reason=\"{1}\"",
                    plain.remote().text(),
                    reason);
        }
        failure = fault;
        state = TlsState.REFUSED;
        plain.reading(true);
        try {
            if (engine != null) {
                sendRecords();
            }
            // Closing with unread bytes would reset the connection and lose the alert.
            plain.shutdownOutput();
        } catch (IOException e) {
            fault.addSuppressed(e);
        }
        drop();
    }

    private void drop() {
        ByteBuffer in = buffers.in();
        int count;
        try {
            count = plain.read(in);
        } catch (IOException e) {
            count = -1;
        }
        if (count < 0) {
            state = TlsState.FAILED;
            tell();
        }
    }

    // ---- Reading.

    /**
     * Reads ciphertext behind what is kept of it, up to so many bytes, and turns the buffer round.
     *
     * @return whether the connection has ended
     */
    private boolean receive(ByteBuffer in, int most) throws IOException {
        arrived.drainTo(in);
        in.limit(Math.clamp(most, in.position(), in.capacity()));
        int count = in.hasRemaining() ? plain.read(in) : 0;
        heard |= count > 0;
        in.flip();
        return count < 0;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        switch (state) {
            case HANDSHAKE, COMPUTING, REFUSED -> {
                return 0;
            }
            case CLOSED -> throw new ClosedChannelException();
            case FAILED -> throw new IOException(String.valueOf(message()), failure);
            case OPEN, SHUT -> {}
        }
        int before = target.position();
        content.drainTo(target);
        boolean ended = false;
        if (content.isEmpty() && !engine().isInboundDone()) {
            try {
                ended = decrypt(target);
            } catch (SSLException e) {
                fail(e);
                throw e;
            }
        }
        int count = target.position() - before;
        if (count > 0) {
            if (!content.isEmpty() || engine().isInboundDone()) {
                tell();
            }
            return count;
        }
        if (engine().isInboundDone()) {
            return -1;
        }
        requireMore(ended);
        return 0;
    }

    private @Nullable String message() {
        return failure == null ? null : failure.getMessage();
    }

    /** Decrypts what fits; returns whether the connection has ended. */
    private boolean decrypt(ByteBuffer target) throws IOException {
        ByteBuffer in = buffers.in();
        // The content of records is shorter than they are: so most of it fits.
        boolean ended = receive(in, Math.max(target.remaining(), TlsBuffers.RECORD));
        boolean more = in.hasRemaining();
        while (more && in.hasRemaining()) {
            boolean fits = target.remaining() >= TlsBuffers.RECORD;
            ByteBuffer into = fits ? target : buffers.content();
            SSLEngineResult result = engine().unwrap(in, into);
            more = result.getStatus() == SSLEngineResult.Status.OK;
            if (more) {
                checkQuiet(result.bytesProduced());
            }
            if (!fits) {
                content.keep(into.flip());
                content.drainTo(target);
                more &= content.isEmpty();
            }
            answerKeyUpdate();
        }
        if (!engine().isInboundDone()) {
            arrived.keep(in);
        }
        return ended;
    }

    private void checkQuiet(int produced) throws SSLException {
        quiet = produced > 0 ? 0 : quiet + 1;
        if (quiet > MOST_QUIET) {
            throw new SSLException(MOST_QUIET + " records without content");
        }
    }

    /** The peer has changed its key and wants ours changed; goes behind what waits. */
    private void answerKeyUpdate() throws IOException {
        if (engine().getHandshakeStatus() == HandshakeStatus.NEED_WRAP && state == TlsState.OPEN) {
            sendRecords();
            if (unsent.view().remaining() > MOST_UNSENT) {
                throw new SSLException("the peer changes keys and reads no answer");
            }
        }
    }

    private void fail(IOException fault) {
        failure = fault;
        state = TlsState.FAILED;
        try {
            sendRecords();
        } catch (IOException e) {
            fault.addSuppressed(e);
        }
    }

    /** Tells the owner of bytes, or of the end, that no event of the connection tells of. */
    private void tell() {
        if (!telling) {
            telling = true;
            plain.execute(
                    () -> {
                        telling = false;
                        if (reading && state != TlsState.CLOSED) {
                            events.readable();
                        }
                    });
        }
    }

    @Override
    public void reading(boolean on) {
        reading = on;
        switch (state) {
            case OPEN, SHUT -> {
                plain.reading(on);
                if (on && (!content.isEmpty() || !arrived.isEmpty() || engine().isInboundDone())) {
                    tell();
                }
            }
            case HANDSHAKE, COMPUTING, REFUSED, FAILED, CLOSED -> {}
        }
    }

    // ---- Writing.

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        switch (state) {
            case HANDSHAKE, COMPUTING, REFUSED -> {
                return 0;
            }
            case SHUT, CLOSED -> throw new ClosedChannelException();
            case FAILED -> throw new IOException(String.valueOf(message()), failure);
            case OPEN -> {}
        }
        long taken = 0;
        boolean room = flush();
        while (room && hasRemaining(sources)) {
            ByteBuffer out = buffers.out();
            while (hasRemaining(sources) && out.remaining() >= TlsBuffers.RECORD) {
                SSLEngineResult result = engine().wrap(sources, out);
                if (result.getStatus() != SSLEngineResult.Status.OK) {
                    throw new IOException("TLS takes no bytes: " + result.getStatus());
                }
                taken += result.bytesConsumed();
            }
            room = send(out.flip());
        }
        return taken;
    }

    private static boolean hasRemaining(ByteBuffer[] sources) {
        for (ByteBuffer source : sources) {
            if (source.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Sends the records that TLS itself wants to send: handshake, key update, alert. */
    private void sendRecords() throws IOException {
        boolean more = true;
        while (more && engine().getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            ByteBuffer out = buffers.out();
            SSLEngineResult result = engine().wrap(NOTHING, out);
            more = result.bytesProduced() > 0;
            send(out.flip());
        }
    }

    /** Sends ciphertext behind what waits; returns whether the connection has taken all of it. */
    private boolean send(ByteBuffer records) throws IOException {
        if (flush()) {
            plain.write(new ByteBuffer[] {records});
        }
        unsent.keep(records);
        if (unsent.isEmpty()) {
            return true;
        }
        plain.awaitWritable();
        return false;
    }

    /** Sends what waits; returns whether nothing waits any more. */
    private boolean flush() throws IOException {
        if (!unsent.isEmpty()) {
            plain.write(new ByteBuffer[] {unsent.view()});
        }
        return unsent.isEmpty();
    }

    /** The connection takes bytes again. */
    private void sendMore() {
        boolean sent;
        try {
            sent = flush();
        } catch (IOException e) {
            // Whoever writes or reads next is told the same by the connection.
            LOG.log(System.Logger.Level.DEBUG, "tls-write-failed", e);
            sent = true;
        }
        if (!sent) {
            plain.awaitWritable();
        } else if (state == TlsState.SHUT) {
            plain.shutdownOutput();
        } else if (awaitsWritable) {
            awaitsWritable = false;
            events.writable();
        }
    }

    @Override
    public void awaitWritable() {
        awaitsWritable = true;
        plain.awaitWritable();
    }

    @Override
    public void shutdownOutput() {
        if (state != TlsState.OPEN) {
            return;
        }
        state = TlsState.SHUT;
        engine().closeOutbound();
        try {
            sendRecords();
            if (unsent.isEmpty()) {
                plain.shutdownOutput();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "tls-write-failed", e);
        }
    }

    @Override
    public void close() {
        if (state == TlsState.OPEN && unsent.isEmpty()) {
            engine().closeOutbound();
            try {
                sendRecords();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "tls-write-failed", e);
            }
        }
        state = TlsState.CLOSED;
        events = LinkEvents.NOBODY;
        plain.close();
    }

    // ---- What the plain link does as well.

    @Override
    public PeerAddress remote() {
        return plain.remote();
    }

    @Override
    public void events(LinkEvents next) {
        events = next;
    }

    @Override
    public boolean isOnLoop() {
        return plain.isOnLoop();
    }

    @Override
    public ByteBuffer scratch() {
        return plain.scratch();
    }

    @Override
    public void execute(Runnable task) {
        plain.execute(task);
    }

    @Override
    public void settle(Runnable then) {
        plain.settle(then);
    }

    @Override
    public void acknowledge() {
        plain.acknowledge();
    }

    @Override
    public @Nullable LinkSecurity security() {
        return security;
    }
}
