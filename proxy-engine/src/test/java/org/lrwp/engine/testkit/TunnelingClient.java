package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.spool.Spool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A client that offers another protocol and writes down what it gets. */
public final class TunnelingClient implements Client {
    private final RecordingClient ordinary = new RecordingClient();
    private final List<String> events = new ArrayList<>();
    private final StringBuilder read = new StringBuilder();
    private @Nullable AnswerHead head;
    private @Nullable Tunnel tunnel;

    @Override
    public void answer(AnswerHead answerHead, Spool body) {
        ordinary.answer(answerHead, body);
    }

    @Override
    public void fail(Failure failure) {
        if (head != null) {
            throw new AssertionError("an error behind 101: " + failure);
        }
        ordinary.fail(failure);
    }

    @Override
    public TunnelClient upgrade(AnswerHead answerHead, Tunnel opened) {
        head = answerHead;
        tunnel = opened;
        return new TunnelClient() {
            @Override
            public void bytes(ByteBuffer bytes) {
                read.append(StandardCharsets.ISO_8859_1.decode(bytes));
            }

            @Override
            public void end() {
                events.add("end");
            }

            @Override
            public void room() {
                events.add("room");
            }

            @Override
            public void cut() {
                events.add("cut");
            }
        };
    }

    /** What it gets when it is no tunnel. */
    public RecordingClient ordinary() {
        return ordinary;
    }

    /** The head of the 101; there must be one. */
    public AnswerHead head() {
        return Objects.requireNonNull(head, () -> "no 101, but " + ordinary.failure());
    }

    /** Where its bytes go. */
    public Tunnel tunnel() {
        return Objects.requireNonNull(tunnel, () -> "no 101, but " + ordinary.failure());
    }

    /** Sends bytes; whether more are welcome. */
    public boolean sends(String bytes) {
        return tunnel().receive(TestEngine.bytes(bytes));
    }

    /** Takes what has come. */
    public String takes() {
        String text = read.toString();
        read.setLength(0);
        tunnel().delivered(text.length());
        return text;
    }

    /** What has come and is not taken. */
    public int waiting() {
        return read.length();
    }

    /** What else has happened, in this order. */
    public List<String> events() {
        return events;
    }
}
