package org.lrwp.webapp.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.spool.Spool;
import org.lrwp.protocol.HeaderField;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes an answer as fast as the client takes it. A small one that is complete goes out in one
 * write; a larger one is pulled from its spool whenever the container can take more. The container
 * calls the listener's methods; all others are called in the client's turns.
 */
final class AnswerWriter implements WriteListener {
    /** How far the answer has come. */
    enum Progress {
        /** Waiting for the spool or for the client. */
        OPEN,
        /** The container has all of it. */
        COMPLETE,
        /** The rest will never come. */
        BROKEN,
        /** The client cannot be written to any more. */
        GONE
    }

    private static final int RESET_CONTENT = 205;

    private final ClientAnswer response;
    private final ServletOutputStream out;
    private final ClientLink link;
    private final AnswerHead head;
    private final Spool spool;
    private final Turns turns;
    private final LentFiles files;
    private volatile @Nullable Throwable broken;
    private volatile boolean blocked;
    private volatile long written;
    private boolean listening;
    private @Nullable ByteBuffer held;

    /** From the start: the head goes out before the first octet, or the end, is there. */
    private boolean unflushed;

    AnswerWriter(ClientAnswer response, ClientLink link, AnswerHead head, Spool spool, Turns turns)
            throws IOException {
        this.response = response;
        this.out = response.body();
        this.link = link;
        this.head = head;
        this.spool = spool;
        this.turns = turns;
        this.files = new LentFiles(spool.files(), link, turns);
        this.unflushed = true;
    }

    @Override
    public void onWritePossible() {
        blocked = false;
        turns.ask();
    }

    @Override
    public void onError(Throwable reason) {
        broken = reason;
        turns.ask();
    }

    /** Whether octets wait for the client. */
    boolean isBlocked() {
        return blocked || files.isUnderWay();
    }

    /** Octets that the container has taken so far. */
    long written() {
        return written;
    }

    /** A head alone; the container would give one that is not out yet a length of 0. */
    private Progress completeHead() {
        if (head.contentLength() < 0 && !Bodyless.is(head.status())) {
            try {
                response.flush();
            } catch (IOException e) {
                return Progress.GONE;
            }
        }
        return Progress.COMPLETE;
    }

    /** Sets the head, and writes the body if it is small and there. */
    Progress start() {
        setHead();
        spool.onReady(turns::ask);
        if (head.bodyless() && spool.ending() == Spool.Ending.COMPLETE) {
            return completeHead();
        }
        held = spool.poll();
        boolean small = held != null && spool.ending() == Spool.Ending.COMPLETE;
        if (!small || held == null || link.pendingOctets() > 0) {
            return goOn();
        }
        try {
            response.holdBack(held.remaining());
            write(held);
            return Progress.COMPLETE;
        } catch (IOException e) {
            return Progress.GONE;
        }
    }

    private void setHead() {
        response.status(head.status());
        link.prepareAnswer(head.reason());
        if (head.status() == RESET_CONTENT) {
            // GlassFish sends neither length nor body with it, so only the end tells the end.
            response.set("Connection", "close");
        }
        for (HeaderField field : head.fields()) {
            add(field);
        }
        if (head.contentLength() >= 0) {
            response.contentLength(head.contentLength());
        }
        if (link.keepsOpen()
                && (Bodyless.is(head.status()) || LastAnswer.isClosing(head.status()))) {
            link.fixHead();
        }
    }

    private void add(HeaderField field) {
        String name = field.name();
        if (name.equalsIgnoreCase("Date")) {
            response.set(name, field.value());
        } else if (name.equalsIgnoreCase("Content-Type") || !link.addOctets(name, field.value())) {
            response.add(name, field.value());
        }
    }

    /** Writes what can be written now. */
    Progress goOn() {
        if (broken != null || files.isGone()) {
            return Progress.GONE;
        }
        try {
            return pump();
        } catch (IOException e) {
            return Progress.GONE;
        }
    }

    private Progress pump() throws IOException {
        if (!listening) {
            listening = true;
            out.setWriteListener(this);
        }
        blocked = false;
        while (!files.isUnderWay() && out.isReady()) {
            if (files.isNext()) {
                sendFile();
                continue;
            }
            ByteBuffer next = held == null ? spool.poll() : held;
            held = null;
            if (next != null) {
                write(next);
                continue;
            }
            switch (spool.ending()) {
                case COMPLETE -> {
                    return head.bodyless() ? completeHead() : Progress.COMPLETE;
                }
                case BROKEN -> {
                    return Progress.BROKEN;
                }
                case OPEN -> {
                    if (!unflushed) {
                        return Progress.OPEN;
                    }
                    unflushed = false;
                    if (head.bodyless()) {
                        response.flush();
                    } else {
                        out.flush();
                    }
                }
            }
        }
        blocked = !files.isUnderWay();
        return spool.ending() == Spool.Ending.BROKEN ? Progress.BROKEN : Progress.OPEN;
    }

    /** The head goes first, by the container. */
    private void sendFile() throws IOException {
        if (unflushed) {
            unflushed = false;
            out.flush();
        }
        files.sendNext();
    }

    private void write(ByteBuffer octets) throws IOException {
        int count = octets.remaining();
        out.write(octets.array(), octets.arrayOffset() + octets.position(), count);
        long sum = written + count;
        written = sum;
        unflushed = true;
    }
}
