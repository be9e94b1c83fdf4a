package org.lrwp.events;

import org.lrwp.sdk.ExchangeListener;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Collects the body of a request, up to a limit. In the exchange's own order. */
final class PublishBody implements ExchangeListener {
    private final Call call;
    private final int most;
    private final Consumer<ByteBuffer> whole;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean over;

    PublishBody(Call call, int most, Consumer<ByteBuffer> whole) {
        this.call = call;
        this.most = most;
        this.whole = whole;
    }

    @Override
    public void onBody(ByteBuffer more) {
        if (over) {
            return;
        }
        if (bytes.size() + more.remaining() > most) {
            over = true;
            bytes.reset();
            call.answer(413, "an event has " + most + " bytes at most");
            return;
        }
        byte[] piece = new byte[more.remaining()];
        more.get(piece);
        bytes.writeBytes(piece);
    }

    @Override
    public void onBodyEnd() {
        if (!over) {
            over = true;
            whole.accept(ByteBuffer.wrap(bytes.toByteArray()));
        }
    }

    @Override
    public void onCancelled(String reason) {
        over = true;
        call.exchange().abort("the client is gone");
    }
}
