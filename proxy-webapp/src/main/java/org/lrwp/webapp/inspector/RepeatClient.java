package org.lrwp.webapp.inspector;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.Spool;
import org.lrwp.sdk.SerialTask;

import java.nio.ByteBuffer;

/** Takes the answer to a repeated request, of which the inspector alone keeps something. */
final class RepeatClient extends SerialTask implements Client {
    private final @Nullable Inspection inspection;
    private volatile @Nullable Spool spool;
    private volatile @Nullable Exchange exchange;
    private boolean over;

    RepeatClient(@Nullable Inspection inspection) {
        this.inspection = inspection;
    }

    /** Its exchange is open. */
    void opened(Exchange own) {
        exchange = own;
        run();
    }

    @Override
    public void answer(AnswerHead head, Spool body) {
        if (inspection != null) {
            inspection.answer(head);
        }
        spool = body;
        body.onReady(this);
        run();
    }

    @Override
    public void fail(Failure failure) {
        // The line of the request says how it ended.
        over = true;
    }

    @Override
    protected void turn() {
        Spool body = spool;
        Exchange own = exchange;
        if (body == null || own == null || over) {
            return;
        }
        for (ByteBuffer next = body.poll(); next != null; next = body.poll()) {
            if (inspection != null) {
                inspection.answer(next);
            }
        }
        switch (body.ending()) {
            case OPEN -> {}
            case COMPLETE -> {
                over = true;
                own.delivered();
            }
            case BROKEN -> {
                over = true;
                body.close();
                own.clientGone(Failure.CLIENT_GONE);
            }
        }
    }
}
