package org.lrwp.cache;

import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Takes the body of one PUT, up to a limit. */
final class Upload implements ExchangeListener {
    private final PeerExchange exchange;
    private final int most;
    private final Consumer<ByteBuffer> whole;
    private ByteBuffer bytes;
    private boolean refused;

    /**
     * Creates an upload.
     *
     * @param most bytes that may come; above that it answers 413
     * @param whole gets the body, which begins at {@link StoredImage#HEAD} of its buffer
     */
    Upload(PeerExchange exchange, int most, Consumer<ByteBuffer> whole) {
        this.exchange = exchange;
        this.most = most;
        this.whole = whole;
        long told = Math.max(0, exchange.request().bodyLength());
        bytes = ByteBuffer.allocate(StoredImage.HEAD + (int) Math.min(told, most));
        bytes.position(StoredImage.HEAD);
    }

    @Override
    public void onBody(ByteBuffer more) {
        if (refused) {
            return;
        }
        int length = bytes.position() - StoredImage.HEAD + more.remaining();
        if (length > most) {
            refused = true;
            refuse(exchange, most);
            return;
        }
        if (more.remaining() > bytes.remaining()) {
            int room = (int) Math.min(most, 2L * length);
            bytes = ByteBuffer.allocate(StoredImage.HEAD + room).put(bytes.flip());
        }
        bytes.put(more);
    }

    @Override
    public void onBodyEnd() {
        if (!refused) {
            bytes.flip();
            whole.accept(bytes.position(StoredImage.HEAD));
        }
    }

    @Override
    public void onCancelled(String reason) {
        exchange.abort(reason);
    }

    static void refuse(PeerExchange exchange, int most) {
        Answers.text(exchange, 413, "An image has at most " + most + " bytes.");
    }
}
