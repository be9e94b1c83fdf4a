package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

class CacheMapTest {
    @TempDir private Path folder;
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private CacheMapConfig config;

    @BeforeEach
    void configure() {
        config = CacheMapConfig.of(folder.resolve("map"), 1 << 20).withClock(() -> now.get());
    }

    @Test
    void keysOfBytesAreComparedAndNeverMeetNumbers() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            byte[] url = bytes("http://host/path?query");

            assertEquals(PutResult.ADDED, map.put(url, wrap("page"), Duration.ZERO));
            assertEquals(PutResult.ADDED, map.put(KeyHash.sip(url, 1, 2), bytes("number")));

            assertArrayEquals(bytes("page"), map.get(url));
            assertNull(map.get(bytes("http://host/path?quern")));
            assertEquals("page", map.visit(url, (value, at) -> text(value)));
            assertTrue(map.remove(url));
            assertNull(map.get(url));
            assertThrows(IllegalArgumentException.class, () -> map.get(new byte[0]));
        }
    }

    @Test
    void allNumbersAreKeys() throws Exception {
        long[] keys = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE};
        try (CacheMap map = CacheMap.open(config)) {
            for (long key : keys) {
                map.put(key, bytes("value of " + key));
            }
        }
        try (CacheMap map = CacheMap.open(config)) {
            for (long key : keys) {
                assertArrayEquals(bytes("value of " + key), map.get(key));
            }
            assertEquals(keys.length, map.recovery().counts().kept());
            assertEquals(RecoveryReport.Outcome.REOPENED, map.recovery().outcome());
        }
    }

    @Test
    void bytesThatCannotBeReadChangeNothing() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            map.put(5, bytes("12345678"));
            Arena arena = Arena.ofShared();
            ByteBuffer gone = arena.allocate(8).asByteBuffer();
            arena.close();

            assertThrows(IllegalStateException.class, () -> map.put(5, gone, Duration.ZERO));

            assertArrayEquals(bytes("12345678"), map.get(5));
        }
    }

    @Test
    void aBufferGetsTheValueOrItsLength() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            map.put(5, bytes("12345678"));
            for (ByteBuffer buffer :
                    new ByteBuffer[] {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10)}) {
                buffer.position(1);

                assertEquals(8, map.get(5, buffer));
                assertEquals(-1, map.get(6, buffer));

                assertEquals((byte) '1', buffer.get(1));
                assertEquals((byte) '8', buffer.get(8));
                assertEquals(1, buffer.position());
                buffer.limit(8);
                buffer.put(1, (byte) 'x');
                assertEquals(8, map.get(5, buffer));
                assertEquals((byte) 'x', buffer.get(1));
            }
        }
    }

    @Test
    void valuesEndWithTheirTimeAlsoOverARestart() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            map.put(1, wrap("short"), Duration.ofSeconds(10));
            map.put(2, wrap("long"), Duration.ofSeconds(100));
            map.put(3, bytes("for ever"));
            pass(Duration.ofSeconds(10));

            assertNull(map.get(1));
            assertNull(map.visit(1, (value, at) -> text(value)));
            assertFalse(map.remove(1));
            assertArrayEquals(bytes("long"), map.get(2));
            assertEquals(2, map.statistics().expired());
        }
        pass(Duration.ofSeconds(90));
        try (CacheMap map = CacheMap.open(config)) {
            assertEquals(1, map.recovery().counts().expired());
            assertNull(map.get(2));
            assertArrayEquals(bytes("for ever"), map.get(3));
        }
    }

    @Test
    void aPutAfterItsTimeIsAnAddition() throws Exception {
        try (CacheMap map = CacheMap.open(config.withTimeToLive(Duration.ofSeconds(1)))) {
            map.put(1, bytes("a"));
            assertEquals(PutResult.REFUSED, map.putIfAbsent(1, bytes("b")));
            pass(Duration.ofSeconds(1));

            assertEquals(PutResult.REFUSED, map.replace(1, bytes("b")));
            assertEquals(PutResult.ADDED, map.putIfAbsent(1, bytes("b")));
            assertArrayEquals(bytes("b"), map.get(1));
        }
    }

    @Test
    void aValueAboveTheLimitIsRefusedWithTheLimit() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            byte[] largest = new byte[map.largestValue()];
            new Random(1).nextBytes(largest);
            map.put(1, largest);
            assertArrayEquals(largest, map.get(1));

            IllegalArgumentException refused =
                    assertThrows(
                            IllegalArgumentException.class, () -> map.put(1, new byte[1 << 20]));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("1048576 bytes are more than"));
            assertArrayEquals(largest, map.get(1));
        }
    }

    @Test
    void visitorsSeeTheValueAndWhenItWasWritten() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            map.put(1, bytes("seen"));
            Instant put = now.get();
            pass(Duration.ofMinutes(5));

            assertEquals(put, map.visit(1, (value, at) -> at));
            assertThrows(
                    RuntimeException.class,
                    () ->
                            map.visit(
                                    1,
                                    (value, at) -> {
                                        value.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
                                        return null;
                                    }));
            assertArrayEquals(bytes("seen"), map.get(1));
        }
    }

    @Test
    void countersGoOnAfterARestart() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            map.put(1, bytes("a"));
            map.get(1);
            map.get(2);
            map.remove(1);
        }
        try (CacheMap map = CacheMap.open(config)) {
            map.contains(1);
            CacheStatistics statistics = map.statistics();
            assertEquals(1, statistics.hits());
            assertEquals(2, statistics.misses());
            assertEquals(1, statistics.puts());
            assertEquals(1, statistics.removed());
            assertEquals(1 / 3.0, statistics.hitRatio());
            assertEquals(0, statistics.entries());
            assertEquals(0, statistics.live());
        }
    }

    @Test
    void clearLeavesNothingAlsoAfterARestart() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            for (long key = 0; key < 500; key++) {
                map.put(key, new byte[100]);
            }
            map.clear();
            assertEquals(0, map.statistics().entries());
            assertNull(map.get(7));
            map.put(7, bytes("new"));
        }
        try (CacheMap map = CacheMap.open(config)) {
            assertEquals(1, map.recovery().counts().kept());
            assertArrayEquals(bytes("new"), map.get(7));
        }
    }

    @Test
    void aClosedMapSaysSo() throws Exception {
        CacheMap map = CacheMap.open(config);
        map.put(1, bytes("a"));
        map.close();
        map.close();

        assertThrows(IllegalStateException.class, () -> map.get(1));
        assertThrows(IllegalStateException.class, () -> map.put(1, bytes("b")));
        assertThrows(IllegalStateException.class, map::statistics);
    }

    @Test
    void sipHashAgreesWithItsAuthors() {
        byte[] input = new byte[15];
        for (int i = 0; i < input.length; i++) {
            input[i] = (byte) i;
        }
        // Appendix A of the paper.
        assertEquals(
                0xa129ca6149be45e5L, KeyHash.sip(input, 0x0706050403020100L, 0x0f0e0d0c0b0a0908L));
    }

    private void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    private static ByteBuffer wrap(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(MemorySegment value) {
        return new String(value.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
    }
}
