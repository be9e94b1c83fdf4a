package org.lrwp.webapp.edge;

import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEventLifeCycleListener;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.BodyReader;
import org.lrwp.http1.Framing;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.http1.MalformedRequestException;
import org.lrwp.webapp.container.GivenRequest;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One request in the hands of the container: gives it the request's bytes and no others, and hears
 * when it is done. The container reads on whatever thread it likes, one at a time.
 */
final class ContainerTurn implements GivenRequest {
    /** The connection whose request it is. */
    interface Owner {
        /** Bytes behind the end of the request belong to the next one. By whoever reads. */
        void keep(ByteBuffer rest);

        /**
         * The container has read the rest of its request, maybe on another thread, while what comes
         * behind that waited unseen. Any thread.
         */
        void watchAgain();

        /**
         * The container's idle filter has begun to count the client's silence, as the last thing
         * that the filters do with a request: the next one may be under way already. Any thread.
         */
        void idleTimeBegun();

        /** The container has answered a request and read all of it. Any thread. */
        void comeBack(ContainerTurn done);
    }

    private static final int HEX = 16;

    private final Owner owner;
    private final RequestHead head;
    private final boolean forPeer;
    private final boolean upgrade;
    private final boolean chunked;
    private final BodyReader body;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean begun = new AtomicBoolean();
    private boolean answered;
    private volatile Runnable whenGone = () -> {};

    /**
     * Creates a turn.
     *
     * @param owner hears of it
     * @param head of the request
     * @param forPeer whether the servlet will give it to a peer
     * @param http2 whether the container speaks HTTP/2, so that a client may ask for it
     */
    ContainerTurn(Owner owner, RequestHead head, boolean forPeer, boolean http2) {
        this.owner = owner;
        this.head = head;
        this.forPeer = forPeer;
        this.body = BodyReader.of(head.bytes(), EdgeBody.MOST_OVERHEAD);
        this.chunked = head.bytes().framing() == Framing.CHUNKED;
        this.upgrade = isUpgrade(head.bytes(), http2);
    }

    /**
     * Whether what follows may be of another protocol. A wish for HTTP/2 that is not spoken is left
     * out: the container would wait for it.
     */
    private static boolean isUpgrade(HttpHead head, boolean http2) {
        int field = head.find(KnownField.UPGRADE);
        return field >= 0
                && head.minorVersion() > 0
                && (http2 || !head.isWord(head.value(field), "h2c"));
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public boolean staysOnSelector() {
        return forPeer;
    }

    /**
     * Requires that the container expects the body that a request has. To TRACE, which must have
     * none (RFC 9110 section 9.3.8), and to HEAD it expects none, and would read it as the request
     * that follows.
     *
     * @throws BadRequestException when it has one
     */
    static void requireReadable(RequestHead head) throws BadRequestException {
        boolean bodyless = head.method().equals("TRACE") || head.method().equals("HEAD");
        if (bodyless && head.bodyLength() != 0) {
            throw new BadRequestException(head.method() + " with a body");
        }
    }

    /** Whether the connection is the container's from here on. */
    boolean isForGood() {
        return upgrade;
    }

    /**
     * Makes the first bytes for the container.
     *
     * @param in what has come behind the head; what is taken of it is the request's
     * @throws MalformedRequestException when the body's chunks break a rule
     */
    ByteBuffer begin(ByteBuffer in) throws MalformedRequestException {
        HeadText text = CanonicalHead.write(head, upgrade, new HeadText());
        if (upgrade) {
            text.add(in.array(), in.arrayOffset() + in.position(), in.arrayOffset() + in.limit());
            in.position(in.limit());
        } else {
            frame(in, text);
        }
        return text.buffer();
    }

    /**
     * Makes bytes of the body for the container.
     *
     * @param in bytes of the connection; what is left is not this request's
     * @return empty when there is nothing for the container in them
     * @throws MalformedRequestException when the body's chunks break a rule
     */
    ByteBuffer more(ByteBuffer in) throws MalformedRequestException {
        HeadText text = new HeadText();
        boolean whole;
        lock.lock();
        try {
            // Whoever sees the body whole may read on: what is kept has to be there before.
            frame(in, text);
            owner.keep(in);
            whole = body.isWhole();
        } finally {
            lock.unlock();
        }
        if (whole) {
            owner.watchAgain();
        }
        return text.buffer();
    }

    /** Whether the container has been given all of the request. */
    boolean isWhole() {
        lock.lock();
        try {
            return body.isWhole();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean begin() {
        return begun.compareAndSet(false, true);
    }

    @Override
    public void onDeparture(Runnable listener) {
        whenGone = listener;
    }

    /** The client has left. */
    void depart() {
        whenGone.run();
    }

    private void frame(ByteBuffer in, HeadText text) throws MalformedRequestException {
        lock.lock();
        try {
            boolean before = body.isWhole();
            for (ByteBuffer piece = body.next(in); piece != null; piece = body.next(in)) {
                if (chunked) {
                    text.add(Integer.toString(piece.remaining(), HEX)).add("\r\n");
                }
                text.add(piece);
                if (chunked) {
                    text.add("\r\n");
                }
            }
            if (chunked && body.isWhole() && !before) {
                text.add("0\r\n\r\n");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hears when the container has handled the bytes that its request began with. */
    Done whenDone() {
        return new Done(true);
    }

    /** Hears when the container has handled other bytes of the request. */
    Done whenRead() {
        return new Done(false);
    }

    /** A run of the container's filters with bytes of this request. */
    final class Done extends IOEventLifeCycleListener.Adapter {
        private final boolean first;

        private Done(boolean first) {
            this.first = first;
        }

        /** Hears of a run that has not begun: who is added first is told last. */
        void hear(FilterChainContext run) {
            run.addCompletionListener(told -> owner.idleTimeBegun());
            run.getInternalContext().addLifeCycleListener(this);
        }

        @Override
        public void onComplete(Context context, Object data) {
            boolean over;
            lock.lock();
            try {
                answered |= first;
                over = answered && body.isWhole();
            } finally {
                lock.unlock();
            }
            if (over) {
                owner.comeBack(ContainerTurn.this);
            }
        }
    }
}
