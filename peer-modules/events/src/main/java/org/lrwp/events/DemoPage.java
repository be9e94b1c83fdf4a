package org.lrwp.events;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerExchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The page that shows what the module does: two windows see each other's messages. Thread-safe. */
final class DemoPage {
    private record Part(String type, ByteBuffer bytes) {}

    private final Map<String, Part> parts =
            Map.of(
                    "demo", part("text/html; charset=utf-8", "demo.html"),
                    "demo.js", part("text/javascript; charset=utf-8", "demo.js"),
                    "demo.css", part("text/css; charset=utf-8", "demo.css"));

    private static Part part(String type, String name) {
        try (InputStream in = DemoPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new Part(type, ByteBuffer.wrap(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers with a part of the page; false when there is none of that name. */
    boolean answer(PeerExchange exchange, String name) {
        @Nullable Part part = parts.get(name);
        if (part == null) {
            return false;
        }
        exchange.answer(
                200,
                List.of(
                        new HeaderField("Content-Type", part.type),
                        new HeaderField("Cache-Control", "no-cache"),
                        Answers.NO_SNIFF,
                        new HeaderField(
                                "Content-Security-Policy",
                                "default-src 'none'; script-src 'self'; style-src 'self';"
                                        + " connect-src 'self'; base-uri 'none'; form-action"
                                        + " 'none'; frame-ancestors 'none'")),
                part.bytes.duplicate());
        return true;
    }
}
