package org.lrwp.webapp.edge;

import org.glassfish.grizzly.WriteHandler;
import org.glassfish.grizzly.http.util.HttpStatus;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.http1.KnownMethod;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.client.BodySink;
import org.lrwp.webapp.client.BodySource;
import org.lrwp.webapp.client.Bodyless;
import org.lrwp.webapp.client.ClientListener;
import org.lrwp.webapp.client.ClientStream;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.SecureAccess;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One request that is answered at the edge. The head of its answer goes out with the first bytes of
 * the body. A body whose length is not known is sent in chunks: RFC 9112 section 7.1; with
 * HTTP/1.0, which has none, it ends with the connection.
 */
final class EdgeStream implements ClientStream, WriteHandler {
    private enum State {
        /** The head has not been written. */
        OPEN,
        /** Body follows, or nothing more. */
        SENT,
        /** As SENT, in chunks. */
        CHUNKED
    }

    private static final String LINE_END = "\r\n";
    private static final byte[] CHUNK_END = {'\r', '\n'};
    private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};
    private static final byte[] NOTHING = {};
    private static final int HEX = 16;
    private static final int FIRST_FINAL = 200;

    private final EdgeConnection connection;
    private final EdgeWriter out;
    private final EdgeBody body;
    private final DateField date;
    private final String remembered;
    private final boolean headOnly;

    /** Of HTTP/1.0: the client knows no chunks, and a connection ends unless it is told not to. */
    private final boolean old;

    private volatile @Nullable ClientListener listener;
    private volatile boolean waiting;
    private volatile @Nullable Throwable broken;
    private @Nullable AnswerHead head;
    private State state = State.OPEN;

    /**
     * Creates a stream.
     *
     * @param connection of the client
     * @param request what is asked; null when that cannot be believed
     * @param body as much of it as there will be
     * @param router what every answer says
     */
    EdgeStream(
            EdgeConnection connection,
            @Nullable RequestHead request,
            EdgeBody body,
            EdgeRouter router) {
        this.connection = connection;
        this.out = connection.out();
        this.body = body;
        this.date = router.date();
        this.remembered = router.remembered(request);
        this.headOnly = request != null && request.bytes().method() == KnownMethod.HEAD;
        this.old = request != null && request.bytes().minorVersion() == 0;
    }

    // ---- The request.

    /** Its body, as much as has come of it. */
    EdgeBody body() {
        return body;
    }

    @Override
    public @Nullable ByteBuffer wholeBody() {
        return body.takeWhole();
    }

    @Override
    public void bodyUnused() {
        body.giveBack();
    }

    @Override
    public BodySource body(long length, BodySink sink) {
        body.giveTo(sink);
        return body;
    }

    @Override
    public void listener(ClientListener told) {
        listener = told;
    }

    /** The client has left. */
    void depart() {
        ClientListener told = listener;
        if (told != null) {
            told.departed();
        }
    }

    @Override
    public String way() {
        return "edge";
    }

    // ---- The answer.

    @Override
    public boolean endsAfter(int status) {
        return false;
    }

    @Override
    public void endAfterAnswer() {
        connection.end();
    }

    @Override
    public void begin(AnswerHead next) {
        head = next;
    }

    @Override
    public void send(AnswerHead whole, ByteBuffer content) throws IOException {
        begin(whole);
        HeadText text = out.text();
        boolean hasBody = hasBody(whole);
        addHead(whole, hasBody ? content.remaining() : -1, text);
        ByteBuffer piece = out.room(text.length() + (hasBody ? content.remaining() : 0));
        text.putInto(piece);
        if (hasBody) {
            piece.put(content);
        }
        out.write(piece.flip());
    }

    private boolean hasBody(AnswerHead sent) {
        return !headOnly && sent.status() >= FIRST_FINAL && !Bodyless.is(sent.status());
    }

    /**
     * Makes the head.
     *
     * @param whole length of the body, if all of it is known; else -1
     */
    private void addHead(AnswerHead sent, long whole, HeadText text) {
        addStatusLine(sent, text);
        long length = sent.contentLength() < 0 ? whole : sent.contentLength();
        boolean unknown = length < 0 && hasBody(sent);
        if (unknown && old) {
            connection.end();
        }
        if (sent.status() >= FIRST_FINAL && !has(sent, "Date")) {
            text.add("Date: ").add(date.text()).add(LINE_END);
        }
        if (!remembered.isEmpty() && !has(sent, SecureAccess.FIELD)) {
            text.add(SecureAccess.FIELD).add(": ").add(remembered).add(LINE_END);
        }
        boolean said = false;
        for (HeaderField field : sent.fields()) {
            String name = field.name();
            text.add(name).add(": ").add(field.value()).add(LINE_END);
            if (name.equalsIgnoreCase("Connection")) {
                said = true;
                if (field.value().equals("close")) {
                    connection.end();
                }
            }
        }
        if (!said && connection.isLast()) {
            text.add("Connection: close\r\n");
        } else if (!said && old) {
            text.add("Connection: keep-alive\r\n");
        }
        boolean chunked = unknown && !old;
        if (length >= 0) {
            text.add("Content-Length: ").add(length).add(LINE_END);
        } else if (chunked) {
            text.add("Transfer-Encoding: chunked\r\n");
        }
        text.add(LINE_END);
        state = chunked ? State.CHUNKED : State.SENT;
    }

    private static boolean has(AnswerHead sent, String name) {
        for (HeaderField field : sent.fields()) {
            if (field.name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    private static void addStatusLine(AnswerHead sent, HeadText text) {
        String reason = sent.reason();
        text.add("HTTP/1.1 ")
                .add(sent.status())
                .add(" ")
                .add(
                        reason.isEmpty()
                                ? HttpStatus.getHttpStatus(sent.status()).getReasonPhrase()
                                : reason)
                .add(LINE_END);
    }

    @Override
    public boolean isWritable() throws IOException {
        Throwable why = broken;
        if (why != null) {
            throw new IOException(why);
        }
        if (out.canWrite()) {
            return true;
        }
        if (!waiting) {
            waiting = true;
            out.notifyCanWrite(this);
        }
        return false;
    }

    @Override
    public void onWritePossible() {
        tellWritable();
    }

    @Override
    public void onError(Throwable reason) {
        broken = reason;
        tellWritable();
    }

    private void tellWritable() {
        waiting = false;
        ClientListener told = listener;
        if (told != null) {
            told.writable();
        }
    }

    @Override
    public void write(ByteBuffer content) throws IOException {
        AnswerHead sent = head;
        if (sent == null || !content.hasRemaining() || !hasBody(sent)) {
            return;
        }
        if (state == State.SENT) {
            // Nothing goes before or behind it: the system's copy is the only one.
            out.write(content);
            return;
        }
        HeadText text = out.text();
        if (state == State.OPEN) {
            addHead(sent, -1, text);
        }
        byte[] end = NOTHING;
        int count = content.remaining();
        if (state == State.CHUNKED) {
            text.add(Integer.toString(count, HEX)).add(LINE_END);
            end = CHUNK_END;
        }
        ByteBuffer piece = out.room(text.length() + count + end.length);
        text.putInto(piece);
        out.write(piece.put(content).put(end).flip());
    }

    @Override
    public void flush() throws IOException {
        flush(-1);
    }

    private void flush(long whole) throws IOException {
        AnswerHead sent = head;
        if (state == State.OPEN && sent != null) {
            HeadText text = out.text();
            addHead(sent, whole, text);
            ByteBuffer piece = out.room(text.length());
            text.putInto(piece);
            out.write(piece.flip());
        }
    }

    @Override
    public boolean tellsPending() {
        return true;
    }

    @Override
    public long pendingBytes() {
        return out.pendingBytes();
    }

    @Override
    public void limitPending(int bytes) {
        out.limitPending(bytes);
    }

    // ---- The end.

    /** After a cut nothing is sent any more. */
    @Override
    public void complete() {
        try {
            AnswerHead sent = head;
            flush(sent != null && hasBody(sent) ? 0 : -1);
            if (state == State.CHUNKED) {
                out.write(out.room(LAST_CHUNK.length).put(LAST_CHUNK).flip());
            }
            connection.complete();
        } catch (IOException gone) {
            out.cut(false);
        }
    }

    @Override
    public void cut(boolean reset) {
        out.cut(reset);
    }

    // ---- Files, and other protocols.

    @Override
    public boolean sendsFiles() {
        return connection.senders() != null;
    }

    @Override
    public void send(FilePart part, SendListener progress) {
        FileSenders senders = connection.senders();
        if (senders == null) {
            progress.ended(SendEnd.GONE);
        } else {
            out.send(senders, part, progress);
        }
    }

    @Override
    public boolean upgrades() {
        return true;
    }

    @Override
    public TunnelClient upgrade(AnswerHead switching, Tunnel tunnel, Consumer<Boolean> whenOver) {
        begin(switching);
        var opened = new EdgeTunnel(connection, connection.out(), tunnel, whenOver);
        try {
            flush();
            connection.tunnel(opened);
        } catch (IOException gone) {
            opened.cut();
        }
        return opened;
    }
}
