import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestHead;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;

/**
 * Sends back each WebSocket message: RFC 6455, without extensions. Nothing waits and no thread is
 * held, so that an idle client costs its few objects only.
 */
final class WebSocketEcho {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    public static void main(String[] arguments) throws Exception {
        Options.peer(arguments, request -> PeerResponse.text(500, "never called\n"))
                .exchangeHandler(WebSocketEcho::handle)
                .upgrades("websocket")
                .connect()
                .awaitClosed();
    }

    private static void handle(PeerExchange exchange) throws Exception {
        RequestHead request = exchange.request();
        String key = request.header("Sec-WebSocket-Key");
        if (!request.offers("websocket") || !"13".equals(request.header("Sec-WebSocket-Version"))) {
            answer(exchange, 426, "this is for WebSocket, version 13\n");
        } else if (key == null || !key.matches("[A-Za-z0-9+/]{22}==")) {
            answer(exchange, 400, "Sec-WebSocket-Key is not 16 bytes in Base64\n");
        } else {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            byte[] digest = sha1.digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            String accept = Base64.getEncoder().encodeToString(digest);
            exchange.upgrade(
                    "websocket", List.of(new HeaderField("Sec-WebSocket-Accept", accept)));
            exchange.listen(new Listener(exchange));
        }
    }

    private static void answer(PeerExchange exchange, int status, String text) {
        var headers =
                List.of(
                        new HeaderField("Content-Type", "text/plain"),
                        new HeaderField("Sec-WebSocket-Version", "13"));
        exchange.answer(
                status, headers, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** One client. */
    private static final class Listener implements ExchangeListener {
        private final PeerExchange exchange;
        private final WebSocketFrames frames;
        private boolean ended;

        Listener(PeerExchange exchange) {
            this.exchange = exchange;
            this.frames = new WebSocketFrames(this::send);
        }

        private void send(ByteBuffer frame) {
            if (!exchange.write(frame)) {
                exchange.pauseBody();
            }
        }

        @Override
        public void onBody(ByteBuffer bytes) {
            frames.take(bytes);
            if (frames.isClosed()) {
                end();
            }
        }

        private void end() {
            if (!ended) {
                ended = true;
                exchange.complete();
                exchange.resumeBody();
            }
        }

        @Override
        public void onWritable() {
            exchange.resumeBody();
        }

        @Override
        public void onBodyEnd() {
            end();
        }

        @Override
        public void onCancelled(String reason) {
            exchange.abort(reason);
        }
    }
}
