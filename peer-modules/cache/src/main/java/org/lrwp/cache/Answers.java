package org.lrwp.cache;

import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The answers of the store. Whatever was stored, a browser shall neither guess nor run it. */
final class Answers {
    private static final HeaderField NOSNIFF = new HeaderField("X-Content-Type-Options", "nosniff");
    private static final HeaderField SANDBOX =
            new HeaderField("Content-Security-Policy", "default-src 'none'; sandbox");
    private static final HeaderField TEXT =
            new HeaderField("Content-Type", "text/plain; charset=utf-8");

    private Answers() {}

    static void image(PeerExchange exchange, StoredImage image, long maxAgeSeconds) {
        List<HeaderField> headers = new ArrayList<>(6);
        headers.add(new HeaderField("ETag", image.etag()));
        if (maxAgeSeconds > 0) {
            headers.add(new HeaderField("Cache-Control", "max-age=" + maxAgeSeconds));
        }
        if (Conditions.isKnown(exchange.request(), image.etag())) {
            exchange.answer(304, headers, ByteBuffer.allocate(0));
            return;
        }
        headers.add(new HeaderField("Content-Type", image.type()));
        headers.add(NOSNIFF);
        headers.add(SANDBOX);
        ByteBuffer body = image.body();
        headers.add(new HeaderField("Content-Length", Integer.toString(body.remaining())));
        boolean head = exchange.request().method().equals("HEAD");
        exchange.answer(200, headers, head ? ByteBuffer.allocate(0) : body);
    }

    static void text(PeerExchange exchange, int status, String sentence, HeaderField... more) {
        List<HeaderField> headers = new ArrayList<>(List.of(more));
        headers.add(TEXT);
        exchange.answer(
                status,
                headers,
                ByteBuffer.wrap((sentence + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    static void empty(PeerExchange exchange, int status, HeaderField... headers) {
        exchange.answer(status, List.of(headers), ByteBuffer.allocate(0));
    }
}
