package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.spool.Spool;
import org.lrwp.sdk.SerialTasks;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The client of a request that another node has sent: its answer goes back in pieces, a few at a
 * time. Any thread; never blocks.
 *
 * <p>What the other node says of it may be lost on the way. While it says nothing it is asked, with
 * a piece without bytes: it takes that as it takes any other, and says then how far it is, or that
 * nobody waits for the answer.
 */
final class GuestClient implements Client {
    /** Bytes of one piece at most. */
    private static final int PIECE = 64 * 1024;

    private final Guests guests;
    private final String answers;
    private final String node;
    private final long session;
    private final ServedContext context;
    private final SerialTasks steps = new SerialTasks(Runnable::run);
    private @Nullable Exchange exchange;
    private @Nullable AnswerHead head;
    private @Nullable Spool spool;
    private byte[] piece = {};
    private int filled;
    private int sent;
    private int acked;
    private boolean over;

    /** A body that comes by HTTP; null before it may come. */
    private volatile Guests.@Nullable Awaited awaited;

    /** Whether all has been sent that may be sent without an ack. */
    private volatile boolean full;

    /** Since when it is full, or was asked last; written before {@link #full}. */
    private volatile long fullSince;

    GuestClient(Guests guests, String answers, Message.Request request) {
        this.guests = guests;
        this.answers = answers;
        this.node = request.node();
        this.session = request.session();
        this.context = request.served();
    }

    /** Whether a node has sent it. */
    boolean isOf(String sender) {
        return node.equals(sender);
    }

    /** Whether it was sent in a session. */
    boolean isOf(long sent) {
        return session == sent;
    }

    /** How long its node waits for a word of it at most. */
    long responseNanos() {
        return guests.responseNanos(context);
    }

    /** Its exchange is open. What ends the request may have come before. */
    void opened(Exchange opened) {
        steps.add(
                () -> {
                    exchange = opened;
                    if (over) {
                        opened.clientGone(Failure.CLIENT_GONE);
                    }
                });
    }

    /** Lets a body come to a place, which its node is told, unless the request has ended. */
    void expect(Guests.Awaited body, Message.Ready place) {
        steps.add(
                () -> {
                    if (!over) {
                        awaited = body;
                        say(place);
                    }
                });
    }

    /** The body that comes by HTTP; null when there is none. */
    Guests.@Nullable Awaited awaited() {
        return awaited;
    }

    // ---- The engine.

    @Override
    public void answer(AnswerHead first, Spool body) {
        steps.add(
                () -> {
                    head = first;
                    spool = body;
                    body.onReady(() -> steps.add(this::pump));
                    pump();
                });
    }

    @Override
    public void fail(Failure failure) {
        steps.add(
                () -> {
                    if (isUntouched(failure)) {
                        guests.refuse(answers);
                    } else {
                        say(new Message.Failed(failure.word()));
                    }
                    end();
                });
    }

    /** Whether no peer has seen the request, so that any node may have it. */
    private boolean isUntouched(Failure failure) {
        Exchange known = exchange;
        boolean started = known != null && known.tries().isStarted();
        return failure.status() == 503 && !started;
    }

    // ---- The answer, in steps.

    private void pump() {
        fill();
        boolean now = !over && sent - acked >= NodeCall.WINDOW;
        if (now && !full) {
            fullSince = guests.now();
        }
        full = now;
    }

    private void fill() {
        Spool body = spool;
        while (body != null && !over && sent - acked < NodeCall.WINDOW) {
            ByteBuffer next = body.poll();
            if (next != null) {
                add(next);
                continue;
            }
            switch (body.ending()) {
                case COMPLETE -> {
                    piece(true);
                    whole();
                }
                case BROKEN -> {
                    say(new Message.Broken());
                    leave(Failure.CLIENT_GONE);
                }
                case OPEN -> {
                    if (filled > 0 || sent == 0) {
                        piece(false);
                    }
                    return;
                }
            }
        }
    }

    private void add(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (filled == piece.length) {
                int wanted = Math.max(filled + bytes.remaining(), 2 * filled);
                piece = Arrays.copyOf(piece, Math.min(PIECE, wanted));
            }
            int count = Math.min(bytes.remaining(), piece.length - filled);
            bytes.get(piece, filled, count);
            filled += count;
            if (filled == PIECE) {
                piece(false);
            }
        }
    }

    private void piece(boolean last) {
        // It is written into a message before more is gathered.
        ByteBuffer bytes = ByteBuffer.wrap(piece, 0, filled);
        filled = 0;
        AnswerHead first = head;
        head = null;
        int free = guests.free(context);
        say(
                first == null
                        ? new Message.Data(sent, free, last, bytes)
                        : begin(first, free, last, bytes));
        sent++;
    }

    private static Message begin(AnswerHead head, int free, boolean last, ByteBuffer bytes) {
        return new Message.Head(
                head.status(),
                head.reason(),
                head.fields(),
                head.contentLength(),
                free,
                last,
                bytes);
    }

    /** Asks the other node whether it still waits, when it has said nothing for long. */
    void look(long now) {
        // Before the other node gives up what it does not hear.
        if (full && now - fullSince >= responseNanos() / 2) {
            steps.add(this::ask);
        }
    }

    private void ask() {
        if (full && !over) {
            fullSince = guests.now();
            say(new Message.Data(sent, guests.free(context), false, ByteBuffer.allocate(0)));
            sent++;
        }
    }

    private void say(Message message) {
        if (!over && !guests.send(answers, message)) {
            leave(Failure.CLIENT_GONE);
        }
    }

    private void whole() {
        Exchange known = exchange;
        end();
        if (known != null) {
            known.delivered();
        }
    }

    private void leave(Failure why) {
        Exchange known = exchange;
        end();
        if (known != null) {
            known.clientGone(why);
        }
    }

    private void end() {
        over = true;
        full = false;
        piece = new byte[0];
        filled = 0;
        guests.ended(answers, this);
        Guests.Awaited body = awaited;
        if (body != null) {
            body.ended();
        }
    }

    // ---- The other node; from any thread.

    void ack(int count) {
        steps.add(
                () -> {
                    acked = Math.clamp(count, acked, sent);
                    full = false;
                    pump();
                });
    }

    /** Nobody waits for the answer any more. */
    void cancel() {
        steps.add(
                () -> {
                    if (!over) {
                        leave(Failure.CLIENT_GONE);
                    }
                });
    }
}
