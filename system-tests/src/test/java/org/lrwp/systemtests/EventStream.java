package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.systemtests.harness.RawHttp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A chunked answer that goes on: never waits for a chunk behind the one that it needs. */
final class EventStream {
    private final RawHttp client;
    private int left;
    private boolean begun;

    /** Begins behind the head. */
    EventStream(RawHttp client) {
        this.client = client;
    }

    /** Reads until a text has come; all of what came. */
    String readTo(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().contains(end)) {
            assertTrue(nextChunk(), "ended after: " + read);
            byte[] got = client.wire().readSome(left);
            assertTrue(got.length > 0, "cut after: " + read);
            left -= got.length;
            read.append(new String(got, StandardCharsets.UTF_8));
        }
        return read.toString();
    }

    /** Reads to the end, which must be a proper one. */
    void requireEnd() throws IOException {
        while (nextChunk()) {
            left -= client.wire().readSome(left).length;
        }
    }

    /** Whether there is more of a chunk; waits for the next one. */
    private boolean nextChunk() throws IOException {
        if (left == 0) {
            if (begun) {
                assertEquals("", client.line());
            }
            begun = true;
            left = Integer.parseInt(client.line(), 16);
        }
        return left > 0;
    }
}
