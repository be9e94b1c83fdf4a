package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.traffic.Compression;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends an answer as fast as its client takes it: pulled from its spool whenever the connection can
 * take more. Called in the request's turns, but for {@link #isBlocked} and {@link #written}.
 */
final class AnswerSender implements Sender {
    private final ClientStream stream;
    private final Spool spool;
    private final LentFiles files;
    private final @Nullable Compression compression;
    private final @Nullable Inspection inspection;
    private volatile boolean blocked;
    private volatile long written;

    /** From the start: the head goes out before the first byte, or the end, is there. */
    private boolean unflushed = true;

    /** The compression may hold bytes back; from the start its own head. */
    private boolean held;

    /** The compression has given its last bytes, if there is one. */
    private boolean ended;

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
        this.held = compression != null;
        this.ended = compression == null;
        this.files = new LentFiles(spool.files(), stream, turn);
        stream.begin(head);
    }

    @Override
    public boolean isBlocked() {
        return blocked || files.isUnderWay();
    }

    @Override
    public long written() {
        return written;
    }

    @Override
    public Progress goOn() {
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
                    if (ended) {
                        return Progress.COMPLETE;
                    }
                    endCompression();
                }
                case BROKEN -> {
                    return Progress.BROKEN;
                }
                case OPEN -> {
                    if (!unflushed) {
                        return Progress.OPEN;
                    }
                    flush();
                }
            }
        }
        blocked = !files.isUnderWay();
        return spool.ending() == BodyEnding.BROKEN ? Progress.BROKEN : Progress.OPEN;
    }

    private void endCompression() throws IOException {
        ended = true;
        if (compression != null) {
            send(compression.end());
        }
    }

    /** What is held back is written first: whether the client takes more is asked anew then. */
    private void flush() throws IOException {
        if (held && compression != null) {
            held = false;
            ByteBuffer late = compression.flush();
            if (late.hasRemaining()) {
                send(late);
                return;
            }
        }
        unflushed = false;
        stream.flush();
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
        held = compression != null;
        unflushed = true;
    }

    /** Not nothing: some containers take that for a write that is under way. */
    private void send(ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return;
        }
        long sum = written + bytes.remaining();
        stream.write(bytes);
        written = sum;
    }
}
