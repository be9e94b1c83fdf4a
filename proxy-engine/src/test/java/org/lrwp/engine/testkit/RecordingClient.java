package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A client that writes down what it gets, and does not let itself be answered twice. */
public final class RecordingClient implements Client {
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private @Nullable AnswerHead head;
    private @Nullable Spool body;
    private @Nullable Failure failure;
    private String tag = "";

    @Override
    public void sticksTo(String process) {
        checkUnanswered();
        tag = process;
    }

    /** By which it comes back to who has answered; empty when nothing was said. */
    public String tag() {
        return tag;
    }

    @Override
    public void answer(AnswerHead answerHead, Spool answerBody) {
        checkUnanswered();
        head = answerHead;
        body = answerBody;
    }

    @Override
    public void fail(Failure why) {
        checkUnanswered();
        failure = why;
    }

    private void checkUnanswered() {
        if (head != null || failure != null) {
            throw new AssertionError("a second answer after " + head + ", " + failure);
        }
    }

    /** Whether an answer has started or an error has come. */
    public boolean isAnswered() {
        return head != null || failure != null;
    }

    /** The head of the answer; there must be one. */
    public AnswerHead head() {
        return Objects.requireNonNull(head, () -> "no answer, but " + failure);
    }

    /** The error, or null when there is none. */
    public @Nullable Failure failure() {
        return failure;
    }

    /** Reads what is there. */
    public String read() {
        ByteBuffer bytes = spool().poll();
        while (bytes != null) {
            read.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes = spool().poll();
        }
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    /** Reads one piece. */
    public int readOnePiece() {
        ByteBuffer bytes = spool().poll();
        return bytes == null ? 0 : bytes.remaining();
    }

    /** How the answer ends for the client. */
    public BodyEnding ending() {
        return spool().ending();
    }

    private Spool spool() {
        return Objects.requireNonNull(body, () -> "no answer, but " + failure);
    }
}
