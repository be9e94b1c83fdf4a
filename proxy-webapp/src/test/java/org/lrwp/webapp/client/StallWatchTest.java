package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

class StallWatchTest {
    @Test
    void checkIsAskedUntilItSaysNo() {
        try (var watch = new StallWatch()) {
            var asked = new AtomicInteger();
            watch.add(() -> asked.incrementAndGet() < 3);
            watch.add(
                    () -> {
                        throw new IllegalStateException("broken check");
                    });

            for (int i = 0; i < 5; i++) {
                watch.look();
            }

            assertEquals(3, asked.get());
        }
    }

    @Test
    void dateIsFormattedForEachSecond() {
        var now = new AtomicReference<>(Instant.parse("2026-11-05T01:02:03Z"));
        var date = new DateField(now::get);

        assertEquals("Thu, 05 Nov 2026 01:02:03 GMT", date.text());
        now.set(Instant.parse("2026-11-05T01:02:04.5Z"));
        assertEquals("Thu, 05 Nov 2026 01:02:04 GMT", date.text());
    }
}
