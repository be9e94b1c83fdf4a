package org.lrwp.events;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.json.Json;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Answers that are one line of text or JSON; never kept by a cache. */
final class Answers {
    static final HeaderField NO_STORE = new HeaderField("Cache-Control", "no-store");
    static final HeaderField NO_SNIFF = new HeaderField("X-Content-Type-Options", "nosniff");

    private Answers() {}

    static void text(PeerExchange exchange, int status, String text, List<HeaderField> headers) {
        send(exchange, status, "text/plain; charset=utf-8", text + "\n", headers);
    }

    static void json(
            PeerExchange exchange, int status, Json.Content json, List<HeaderField> headers) {
        String text = Json.text(json) + "\n";
        send(exchange, status, "application/json; charset=utf-8", text, headers);
    }

    static void nothing(PeerExchange exchange, List<HeaderField> headers) {
        exchange.answer(204, headers, ByteBuffer.allocate(0));
    }

    private static void send(
            PeerExchange exchange,
            int status,
            String type,
            String text,
            List<HeaderField> headers) {
        List<HeaderField> all = new ArrayList<>(headers);
        all.add(NO_STORE);
        all.add(NO_SNIFF);
        all.add(new HeaderField("Content-Type", type));
        exchange.answer(status, all, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
