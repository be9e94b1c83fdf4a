package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

import org.glassfish.grizzly.WriteHandler;
import org.glassfish.grizzly.http.util.HttpStatus;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.KnownMethod;
import org.lrwp.webapp.servlet.Bodyless;
import org.lrwp.webapp.servlet.ClientAnswer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer on its way to a client past the container's filters: its head goes out with the first
 * octets of its body. A body whose length is not known is sent in chunks: RFC 9112 section 7.1;
 * with HTTP/1.0, which has none, it ends with the connection. One thread at a time.
 */
final class EdgeAnswer extends ServletOutputStream implements ClientAnswer {
    private enum State {
        /** The head can still be changed. */
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

    private final EdgeConnection client;
    private final EdgeWriter out;
    private final boolean headOnly;

    /** Of HTTP/1.0: the client knows no chunks, and a connection ends unless it is told not to. */
    private final boolean old;

    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private State state = State.OPEN;
    private int status = 200;
    private String reason = "";
    private long length = -1;
    private @Nullable WriteListener listener;
    private volatile boolean waiting;

    EdgeAnswer(EdgeConnection client, @Nullable RequestHead request) {
        this.client = client;
        this.out = client.out();
        this.headOnly = request != null && request.bytes().method() == KnownMethod.HEAD;
        this.old = request != null && request.bytes().minorVersion() == 0;
    }

    // ---- The head.

    @Override
    public void status(int code) {
        status = code;
    }

    /** Sets the reason phrase; empty = the usual one. */
    void reason(String phrase) {
        reason = phrase;
    }

    @Override
    public void set(String name, String value) {
        for (int i = names.size() - 1; i >= 0; i--) {
            if (names.get(i).equalsIgnoreCase(name)) {
                names.remove(i);
                values.remove(i);
            }
        }
        add(name, value);
        if (name.equals("Connection") && value.equals("close")) {
            client.end();
        }
    }

    @Override
    public void add(String name, String value) {
        names.add(name);
        values.add(value);
    }

    @Override
    public boolean has(String name) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void contentType(String type) {
        set("Content-Type", type);
    }

    @Override
    public void contentLength(long octets) {
        length = octets;
    }

    /** The body is known to its end, and so is its length. */
    @Override
    public void holdBack(int octets) {
        if (length < 0) {
            length = octets;
        }
    }

    private boolean hasBody() {
        return !headOnly && status >= FIRST_FINAL && !Bodyless.is(status);
    }

    /** Makes the head, and what goes with it: nothing can be changed any more. */
    private void addHead(HeadText text) {
        String phrase =
                reason.isEmpty() ? HttpStatus.getHttpStatus(status).getReasonPhrase() : reason;
        text.add("HTTP/1.1 ").add(Integer.toString(status)).add(" ").add(phrase).add(LINE_END);
        boolean unknown = length < 0 && hasBody();
        if (unknown && old) {
            client.end();
        }
        boolean said = false;
        for (int i = 0; i < names.size(); i++) {
            text.add(names.get(i)).add(": ").add(values.get(i)).add(LINE_END);
            said |= names.get(i).equalsIgnoreCase("Connection");
        }
        if (!said && client.isLast()) {
            text.add("Connection: close\r\n");
        } else if (!said && old) {
            text.add("Connection: keep-alive\r\n");
        }
        boolean chunked = unknown && !old;
        if (length >= 0) {
            text.add("Content-Length: ").add(Long.toString(length)).add(LINE_END);
        } else if (chunked) {
            text.add("Transfer-Encoding: chunked\r\n");
        }
        text.add(LINE_END);
        state = chunked ? State.CHUNKED : State.SENT;
    }

    // ---- The body.

    @Override
    public ServletOutputStream body() {
        return this;
    }

    @Override
    public boolean isReady() {
        if (out.canWrite()) {
            return true;
        }
        WriteListener told = listener;
        if (told != null && !waiting) {
            waiting = true;
            out.notifyCanWrite(new Wake(told));
        }
        return false;
    }

    @Override
    public void setWriteListener(WriteListener told) {
        listener = told;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int count) throws IOException {
        if (count == 0 || !hasBody()) {
            return;
        }
        if (state == State.SENT) {
            // Nothing goes before or behind it: the system's copy is the only one.
            out.write(ByteBuffer.wrap(octets, offset, count));
            return;
        }
        HeadText text = out.text();
        if (state == State.OPEN) {
            addHead(text);
        }
        byte[] end = NOTHING;
        if (state == State.CHUNKED) {
            text.add(Integer.toString(count, HEX)).add(LINE_END);
            end = CHUNK_END;
        }
        ByteBuffer piece = out.room(text.length() + count + end.length);
        text.putInto(piece);
        out.write(piece.put(octets, offset, count).put(end).flip());
    }

    @Override
    public void flush() throws IOException {
        if (state == State.OPEN) {
            HeadText text = out.text();
            addHead(text);
            ByteBuffer head = out.room(text.length());
            text.putInto(head);
            out.write(head.flip());
        }
    }

    /** The answer ends here; after a cut nothing of it is sent any more. */
    @Override
    public void complete() {
        try {
            if (state == State.OPEN && hasBody()) {
                holdBack(0);
            }
            flush();
            if (state == State.CHUNKED) {
                out.write(out.room(LAST_CHUNK.length).put(LAST_CHUNK).flip());
            }
            client.complete();
        } catch (IOException gone) {
            out.cut(false);
        }
    }

    /** Tells who waits, once. */
    private final class Wake implements WriteHandler {
        private final WriteListener told;

        Wake(WriteListener told) {
            this.told = told;
        }

        @Override
        public void onWritePossible() throws IOException {
            waiting = false;
            told.onWritePossible();
        }

        @Override
        public void onError(Throwable reason) {
            waiting = false;
            told.onError(reason);
        }
    }
}
