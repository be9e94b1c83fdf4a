package org.lrwp.acme;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Answers requests for tokens; waits for nothing. */
final class ChallengeHandler implements ExchangeHandler {
    private static final HeaderField NOSNIFF = new HeaderField("X-Content-Type-Options", "nosniff");
    private static final HeaderField BYTES =
            new HeaderField("Content-Type", "application/octet-stream");
    private static final HeaderField TEXT =
            new HeaderField("Content-Type", "text/plain; charset=utf-8");
    private static final HeaderField ALLOW = new HeaderField("Allow", "GET, HEAD");

    private final HttpAnswers answers;

    ChallengeHandler(HttpAnswers answers) {
        this.answers = answers;
    }

    @Override
    public void handle(PeerExchange exchange) {
        switch (exchange.request().method()) {
            case "GET" -> answer(exchange, true);
            case "HEAD" -> answer(exchange, false);
            default ->
                    exchange.answer(405, List.of(TEXT, ALLOW), bytes("Tokens can only be read.\n"));
        }
    }

    private void answer(PeerExchange exchange, boolean withBody) {
        String path = exchange.request().pathInfo();
        @Nullable String authorization =
                path.startsWith("/") ? answers.find(path.substring(1)) : null;
        if (authorization == null) {
            ByteBuffer text = bytes("There is no such token.\n");
            exchange.answer(404, List.of(TEXT), withBody ? text : ByteBuffer.allocate(0));
            return;
        }
        ByteBuffer body = bytes(authorization);
        HeaderField length = new HeaderField("Content-Length", Integer.toString(body.remaining()));
        exchange.answer(
                200, List.of(BYTES, NOSNIFF, length), withBody ? body : ByteBuffer.allocate(0));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
