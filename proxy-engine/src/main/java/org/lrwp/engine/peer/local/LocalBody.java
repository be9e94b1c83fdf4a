package org.lrwp.engine.peer.local;

import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;

import java.nio.ByteBuffer;

/**
 * The body of one request on its way to a module: one piece at a time, so that who sends it waits
 * for the module. In the steps of its call, but for {@link #pause}.
 */
final class LocalBody {
    private final LocalCall call;
    private final LocalExchange exchange;
    private final Spool spool;
    private volatile boolean paused;
    private boolean listening;
    private boolean inHand;
    private boolean ended;

    LocalBody(LocalCall call, LocalExchange exchange, Spool spool) {
        this.call = call;
        this.exchange = exchange;
        this.spool = spool;
    }

    /** The request has begun. */
    void open() {
        // What is whole may lie on the disk, which gives it later.
        if (!spool.isWhole() || spool.unread() > 0) {
            spool.onReady(() -> call.execute(this::pump));
        }
        call.connection().watch(call.call());
    }

    /** The module listens from now on. */
    void listen() {
        listening = true;
        pump();
    }

    /** Nothing more is delivered, behind what is in hand. */
    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        pump();
    }

    /** The module has taken what it was given. */
    void taken() {
        inHand = false;
        pump();
    }

    private void pump() {
        call.connection().watch(call.call());
        if (!listening || inHand || paused || !call.call().isLive()) {
            return;
        }
        ByteBuffer bytes = spool.poll();
        if (bytes != null) {
            inHand = true;
            call.call().progress();
            // The request may have to be given to another peer, with the same bytes.
            exchange.deliver(bytes.asReadOnlyBuffer());
        } else if (!ended && spool.ending() == BodyEnding.COMPLETE) {
            ended = true;
            exchange.bodyEnd();
        }
    }

    /** Whether all of it is here, though perhaps not taken. */
    boolean isWhole() {
        return spool.isWhole();
    }

    /** Whether its sender has to wait for the module. */
    boolean isHeldBack() {
        return !spool.isWhole() && spool.unread() > 0 && !spool.hasRoom();
    }
}
