package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.spool.Spool;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.traffic.Compression;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends an answer as fast as its client takes it: pulled from its spool whenever the connection can
 * take more. Called in the request's turns, but for {@link #isBlocked} and {@link #written}.
 */
final class AnswerSender {
    /** How far the answer has come. */
    enum Progress {
        /** Waiting for the spool or for the client. */
        OPEN,
        /** The connection has all of it. */
        COMPLETE,
        /** The rest will never come. */
        BROKEN,
        /** The client cannot be written to any more. */
        GONE
    }

    private final ClientStream stream;
    private final Spool spool;
    private final LentFiles files;
    private final @Nullable Compression compression;
    private final @Nullable Inspection inspection;
    private volatile boolean blocked;
    private volatile long written;

    /** From the start: the head goes out before the first byte, or the end, is there. */
    private boolean unflushed = true;

    /**
     * Creates a sender and sets the head.
     *
     * @param compression what the body goes through; null for nothing
     * @param inspection sees the body; null for nobody
     * @param turn asks for a turn of the request
     */
    AnswerSender(
            ClientStream stream,
            AnswerHead head,
            Spool spool,
            @Nullable Compression compression,
            @Nullable Inspection inspection,
            Runnable turn) {
        this.stream = stream;
        this.spool = spool;
        this.compression = compression;
        this.inspection = inspection;
        this.files = new LentFiles(spool.files(), stream, turn);
        stream.begin(head);
    }

    /** Whether bytes wait for the client. */
    boolean isBlocked() {
        return blocked || files.isUnderWay();
    }

    /** Bytes that the connection has taken so far. */
    long written() {
        return written;
    }

    /** Writes what can be written now. */
    Progress goOn() {
        if (files.isGone()) {
            return Progress.GONE;
        }
        try {
            return pump();
        } catch (IOException e) {
            return Progress.GONE;
        }
    }

    private Progress pump() throws IOException {
        blocked = false;
        while (!files.isUnderWay() && stream.isWritable()) {
            if (files.isNext()) {
                sendFile();
                continue;
            }
            ByteBuffer next = spool.poll();
            if (next != null) {
                write(next);
                continue;
            }
            switch (spool.ending()) {
                case COMPLETE -> {
                    if (compression != null) {
                        send(compression.end());
                    }
                    return Progress.COMPLETE;
                }
                case BROKEN -> {
                    return Progress.BROKEN;
                }
                case OPEN -> {
                    if (!unflushed) {
                        return Progress.OPEN;
                    }
                    unflushed = false;
                    if (compression != null) {
                        send(compression.flush());
                    }
                    stream.flush();
                }
            }
        }
        blocked = !files.isUnderWay();
        return spool.ending() == Spool.Ending.BROKEN ? Progress.BROKEN : Progress.OPEN;
    }

    /** The head goes first. */
    private void sendFile() throws IOException {
        if (unflushed) {
            unflushed = false;
            stream.flush();
        }
        files.sendNext();
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (inspection != null) {
            inspection.answer(bytes);
        }
        send(compression == null ? bytes : compression.add(bytes));
        unflushed = true;
    }

    private void send(ByteBuffer bytes) throws IOException {
        long sum = written + bytes.remaining();
        stream.write(bytes);
        written = sum;
    }
}
