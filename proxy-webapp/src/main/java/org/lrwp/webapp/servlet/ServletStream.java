package org.lrwp.webapp.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.client.BodySink;
import org.lrwp.webapp.client.BodySource;
import org.lrwp.webapp.client.Bodyless;
import org.lrwp.webapp.client.ClientListener;
import org.lrwp.webapp.client.ClientStream;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.LastAnswer;
import org.lrwp.webapp.files.SendListener;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** An asynchronous request of the servlet. */
final class ServletStream implements ClientStream, WriteListener {
    private static final System.Logger LOG = System.getLogger(ServletStream.class.getName());

    /** What the access log calls the servlet. */
    static final String WAY = "servlet";

    /** Request attribute of one that is answered and was dispatched only to be completed. */
    static final String DONE = "org.lrwp.done";

    /** Value of {@link #DONE} when the connection has to end with the request. */
    static final String CUT = "cut";

    /**
     * Where requests are dispatched to, which they know by their attributes. Not their own target:
     * Tomcat finds no servlet for one such as {@code /app/../app/x}, although it came here.
     */
    static final String AGAIN = "/-/again";

    private final AsyncContext async;
    private final HttpServletResponse response;
    private final ContainerLink link;
    private final DateField date;
    private final boolean headOnly;
    private @Nullable ServletOutputStream out;
    private @Nullable AnswerHead head;
    private volatile @Nullable ClientListener listener;
    private volatile @Nullable Throwable broken;
    private boolean ending;
    private boolean hasBody;
    private boolean flushed;
    private volatile boolean wasCut;

    /** The container's thread while it is in the servlet with a request that has a body. */
    private volatile @Nullable Thread caller;

    ServletStream(AsyncContext async, ContainerLink link, DateField date) {
        this.async = async;
        this.response = (HttpServletResponse) async.getResponse();
        this.headOnly = "HEAD".equals(((HttpServletRequest) async.getRequest()).getMethod());
        this.link = link;
        this.date = date;
    }

    /** Makes a request asynchronous. The container's own time-out is not used: it answers 200. */
    static ServletStream of(HttpServletRequest request, ContainerLink link, DateField date) {
        return new ServletStream(async(request), link, date);
    }

    /** Makes a request asynchronous that is going to be dispatched. */
    static AsyncContext async(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        return async;
    }

    @Override
    public BodySource body(long length, BodySink sink) throws IOException {
        hasBody = true;
        caller = Thread.currentThread();
        return new ServletBody(async.getRequest().getInputStream(), link, length, sink);
    }

    /** The servlet is about to return. Its thread calls it, last. */
    void returned() {
        caller = null;
    }

    @Override
    public void listener(ClientListener told) {
        listener = told;
        link.onDeparture(told::departed);
    }

    @Override
    public String way() {
        return WAY;
    }

    // ---- The answer.

    @Override
    public boolean endsAfter(int status) {
        return LastAnswer.isClosing(status) && !link.keepsOpen();
    }

    @Override
    public void endAfterAnswer() {
        ending = true;
        link.end();
    }

    @Override
    public void send(AnswerHead whole, ByteBuffer body) throws IOException {
        if (headOnly && !whole.bodyless() && whole.contentLength() < 0) {
            response.setContentLength(body.remaining());
        }
        begin(whole);
        if (whole.bodyless() || headOnly) {
            return;
        }
        if (body.remaining() > response.getBufferSize()) {
            // One write below, not one for each buffer of the container.
            response.setBufferSize(body.remaining());
        }
        // The container may hold on to what it is given.
        byte[] own = new byte[body.remaining()];
        body.get(own);
        out().write(own);
    }

    @Override
    public void begin(AnswerHead next) {
        head = next;
        ResponseFields.setDate(response, link, date);
        ResponseFields.set(response, link, next);
        if (link.keepsOpen()
                && !ending
                && (Bodyless.is(next.status()) || LastAnswer.isClosing(next.status()))) {
            link.fixHead();
        }
    }

    private ServletOutputStream out() throws IOException {
        ServletOutputStream known = out;
        if (known == null) {
            known = response.getOutputStream();
            out = known;
        }
        return known;
    }

    @Override
    public boolean isWritable() throws IOException {
        if (broken != null) {
            throw new IOException(broken);
        }
        if (out == null) {
            out().setWriteListener(this);
        }
        return link.takesMore(this::tell) && out().isReady();
    }

    @Override
    public void onWritePossible() {
        tell();
    }

    @Override
    public void onError(Throwable reason) {
        broken = reason;
        tell();
    }

    private void tell() {
        ClientListener told = listener;
        if (told != null) {
            told.writable();
        }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (headOnly) {
            return;
        }
        int start = bytes.arrayOffset() + bytes.position();
        out().write(bytes.array(), start, bytes.remaining());
        link.written();
    }

    @Override
    public void flush() throws IOException {
        flushed = true;
        AnswerHead sent = head;
        if (sent == null || sent.bodyless()) {
            response.flushBuffer();
        } else {
            out().flush();
        }
    }

    @Override
    public boolean tellsPending() {
        return link.tellsPending();
    }

    @Override
    public long pendingBytes() {
        return link.pendingBytes();
    }

    @Override
    public void limitPending(int bytes) {
        link.limitPending(bytes);
    }

    // ---- The end.

    @Override
    public void complete() {
        flushHead();
        if (hasBody) {
            link.dropRest();
        }
        boolean cut = link.isToBeCut();
        try {
            // GlassFish loses what is pipelined behind a request with a body that is complete
            // before the servlet returns; a dispatch happens after it has returned. And a servlet
            // that throws amid its answer is all that the Servlet API has to end a connection.
            if (cut || Thread.currentThread().equals(caller)) {
                async.getRequest().setAttribute(DONE, cut ? CUT : true);
                async.dispatch(AGAIN);
            } else {
                async.complete();
            }
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "already-complete", e);
        }
    }

    /** The container would give a head alone a length of 0. */
    private void flushHead() {
        AnswerHead sent = head;
        if (sent != null
                && !flushed
                && !wasCut
                && sent.bodyless()
                && sent.contentLength() < 0
                && !Bodyless.is(sent.status())) {
            try {
                response.flushBuffer();
            } catch (IOException gone) {
                LOG.log(Level.DEBUG, "head-not-sent", gone);
            }
        }
    }

    @Override
    public void cut(boolean reset) {
        wasCut = true;
        link.cut(reset);
    }

    // ---- What the container may be able to do.

    @Override
    public boolean sendsFiles() {
        return link.sendsFiles();
    }

    @Override
    public void send(FilePart part, SendListener progress) {
        link.send(part, progress);
    }

    /** No container lets it be done when the servlet's thread has returned: docs/operations.md. */
    @Override
    public boolean upgrades() {
        return false;
    }

    @Override
    public TunnelClient upgrade(AnswerHead switching, Tunnel tunnel, Consumer<Boolean> whenOver) {
        throw new UnsupportedOperationException("the connection stays with HTTP");
    }
}
