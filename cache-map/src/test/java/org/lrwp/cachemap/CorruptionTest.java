package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;

/** Damages each region of a file and opens it: never a wrong byte, and a report. */
class CorruptionTest {
    private static final int SEGMENT = 1 << 15;
    private static final int SEGMENTS = 8;
    private static final int KEYS = 600;
    private static final int FIRST = 4096;

    @TempDir private Path folder;
    private Path file;
    private CacheMapConfig config;

    /** Fills a file whose keys all have an older version too, in the file or overwritten. */
    @BeforeEach
    void fill() throws Exception {
        file = folder.resolve("map");
        config = CacheMapConfig.of(file, 2 * 4096L + SEGMENTS * SEGMENT).withSegmentSize(SEGMENT);
        try (CacheMap map = CacheMap.open(config)) {
            for (int version = 0; version < 2; version++) {
                for (int key = 0; key < KEYS; key++) {
                    map.put(key, value(key, version));
                }
            }
            for (int key = 0; key < KEYS; key += 7) {
                map.remove(key);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sequence, 0, 8",
        "check of the rings, 8, 8",
        "head and tail, 16, 32",
        "counters, 64, 64",
        "first entry, 128, 48",
        "first bytes, 128, 1000",
        "middle, 9000, 3000",
        "all but the head, 128, 32640",
        "all, 0, 32768"
    })
    void aDamagedRegionOfASegmentCostsNoOtherSegment(String region, int at, int bytes)
            throws Exception {
        long before = entries();
        for (int kind = 0; kind < 3; kind++) {
            fill();
            damage(FIRST + 3L * SEGMENT + at, bytes, kind);
            long kept = openAndCompare();
            assertTrue(kept >= before * 3 / 4, region + " kind " + kind + " kept " + kept);
            // Whatever was found, the file is whole again, and the map goes on.
            assertTrue(CacheFileInspector.inspect(file).tornSegments() == 0);
            writeOn();
        }
    }

    @Test
    void singleBitsAnywhereAreFound() throws Exception {
        Random random = new Random(5);
        byte[] good = Files.readAllBytes(file);
        for (int round = 0; round < 60; round++) {
            byte[] bad = good.clone();
            for (int i = 0; i < 20; i++) {
                int at = FIRST + random.nextInt(SEGMENTS * SEGMENT);
                bad[at] ^= (byte) (1 << random.nextInt(8));
            }
            overwrite(bad);
            openAndCompare();
        }
    }

    @Test
    void aDamagedValueIsDroppedAndCountedWhenItIsRead() throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        byte[] wanted = value(1, 1);
        int at = find(bytes, wanted);
        bytes[at + wanted.length / 2] ^= 1;
        overwrite(bytes);

        assertEquals(1, CacheFileInspector.inspect(file).damagedEntries());
        try (CacheMap map = CacheMap.open(config)) {
            assertNull(map.get(1));
            assertEquals(1, map.statistics().damaged());
            assertArrayEquals(value(2, 1), map.get(2));
        }
    }

    @Test
    void entriesOfARingThatIsGivenUpDoNotCountAsLive() throws Exception {
        Files.delete(file);
        config = CacheMapConfig.of(file, 2 * 4096L + SEGMENT).withSegmentSize(SEGMENT);
        try (CacheMap map = CacheMap.open(config)) {
            map.put(0, new byte[1000]);
            long size = map.statistics().live();
            for (int key = 1; key < 10; key++) {
                map.put(key, new byte[1000]);
            }
            try (var raw = new RandomAccessFile(file.toFile(), "rw")) {
                raw.seek(FIRST + Layout.SEGMENT_HEAD);
                raw.write(new byte[Entry.HEAD]);
            }
            for (int key = 10; key < 40; key++) {
                map.put(key, new byte[1000]);
            }

            CacheStatistics now = map.statistics();
            assertEquals(1, now.damaged());
            assertEquals(now.entries() * size, now.live());
        }
    }

    /** As a process leaves it that dies while it writes the head of an entry. */
    @Test
    void whatLooksLikeAnEntryWithinAValueIsNone() throws Exception {
        Files.delete(file);
        config = CacheMapConfig.of(file, 2 * 4096L + SEGMENT).withSegmentSize(SEGMENT);
        try (CacheMap map = CacheMap.open(config)) {
            // The value of the first entry begins where a second one would, were the first no more.
            map.put(1, entry(666, Entry.HEAD));
            map.put(2, value(2, 1));
        }
        int first = FIRST + Layout.SEGMENT_HEAD;
        damage(first + 4L, 4, 1); // the entry's check
        damage(FIRST, 1, 2); // the sequence: odd

        try (CacheMap map = CacheMap.open(config)) {
            assertEquals(1, map.recovery().counts().rebuilt());
            assertNull(map.get(666));
            assertNull(map.get(1));
            assertArrayEquals(value(2, 1), map.get(2));
        }
    }

    @Test
    void everyReadIsComparedWhereThatIsWanted() throws Exception {
        try (CacheMap map = CacheMap.open(config.withVerification(Verification.EVERY_READ))) {
            byte[] wanted = value(1, 1);
            assertArrayEquals(wanted, map.get(1));
            byte[] bytes = Files.readAllBytes(file);
            int at = find(bytes, wanted);
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {(byte) (wanted[9] + 1)}), at + 9);
            }

            assertNull(map.get(1));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 12, 48, 256, 280})
    void aDamagedFirstPageLosesNothingAsLongAsItsCopyIsThere(long at) throws Exception {
        long before = entries();
        damage(at, 4, 1);
        assertEquals(before, openAndCompare());
    }

    @Test
    void aFileWhoseHeadsAreBothDamagedIsMadeAnew() throws Exception {
        damage(20, 8, 1);
        damage(Files.size(file) - 4096 + 20, 8, 1);
        try (CacheMap map = CacheMap.open(config)) {
            assertEquals(RecoveryReport.Outcome.RECREATED, map.recovery().outcome());
            assertEquals("its head is damaged", map.recovery().reason());
            assertNull(map.get(1));
        }
    }

    @Test
    void aFileOfAnotherFormatIsMadeAnew() throws Exception {
        FileHead head = new FileHead(2, SEGMENT, SEGMENTS, 0, 1, 2, 3);
        byte[] bytes = Files.readAllBytes(file);
        head.write(ByteBuffer.wrap(bytes));
        overwrite(bytes);

        assertThrows(CacheFileException.class, () -> CacheFileInspector.inspect(file));
        try (CacheMap map = CacheMap.open(config)) {
            assertEquals("its format has version 2, not 1", map.recovery().reason());
        }
    }

    @Test
    void aFileThatIsNoCacheIsLeftAlone() throws Exception {
        Files.writeString(file, "a letter to my mother".repeat(1000));

        CacheFileException refused =
                assertThrows(CacheFileException.class, () -> CacheMap.open(config));

        assertTrue(
                String.valueOf(refused.getMessage()).contains("is not a cache file"),
                refused.getMessage());
        assertEquals(21_000, Files.size(file));
    }

    @Test
    void aFileThatWasCutShortIsMadeAnew() throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        overwrite(Arrays.copyOf(bytes, bytes.length - 5000));

        try (CacheMap map = CacheMap.open(config)) {
            assertEquals(RecoveryReport.Outcome.RECREATED, map.recovery().outcome());
            assertTrue(map.recovery().reason().contains("bytes, not"), map.recovery().reason());
        }
    }

    @Test
    void aFileLeftOpenByAnotherStartOfTheMachineIsMadeAnew() throws Exception {
        // Open, and opened under another boot id.
        byte[] bytes = Files.readAllBytes(file);
        bytes[256] = 'x';
        bytes[270] ^= 1;
        overwrite(bytes);

        try (CacheMap map = CacheMap.open(config)) {
            assertEquals("it was open when the machine went down", map.recovery().reason());
            assertNull(map.get(1));
        }
    }

    @Test
    void aCopyOfAFileIsAsGoodAsTheFile() throws Exception {
        long before = entries();
        Path copy = folder.resolve("copy");
        Files.copy(file, copy);
        Files.delete(file);
        Files.move(copy, file);
        assertEquals(before, openAndCompare());
    }

    /** An entry with a value of 16 bytes, zero all, that stands at a position. */
    private static byte[] entry(long key, long position) {
        MemorySegment bytes = MemorySegment.ofArray(new long[(Entry.HEAD + 16) / Long.BYTES]);
        CRC32C sum = new CRC32C();
        sum.update(new byte[16]);
        Entry.write(
                bytes,
                0,
                position,
                Entry.LIVE,
                new Entry.Head(key, 0, 16, 0, (int) sum.getValue(), 0));
        return bytes.toArray(ValueLayout.JAVA_BYTE);
    }

    private long entries() throws Exception {
        return CacheFileInspector.inspect(file).entries();
    }

    /** Opens the file and reads all keys: each the newest value or none. */
    private long openAndCompare() throws Exception {
        long found = 0;
        try (CacheMap map = CacheMap.open(config)) {
            for (int key = 0; key < KEYS; key++) {
                byte[] value = map.get(key);
                if (value != null) {
                    assertTrue(key % 7 != 0, "removed key " + key);
                    assertArrayEquals(value(key, 1), value, "key " + key);
                    found++;
                }
            }
        }
        return found;
    }

    private void writeOn() throws Exception {
        try (CacheMap map = CacheMap.open(config)) {
            for (int key = 0; key < 4 * KEYS; key++) {
                map.put(key, value(key, 2));
                assertArrayEquals(value(key, 2), map.get(key));
            }
        }
    }

    private void damage(long at, int bytes, int kind) throws IOException {
        byte[] all = Files.readAllBytes(file);
        Random random = new Random(at + kind);
        for (int i = (int) at; i < at + bytes; i++) {
            all[i] =
                    switch (kind) {
                        case 0 -> 0;
                        case 1 -> (byte) random.nextInt();
                        default -> (byte) ~all[i];
                    };
        }
        overwrite(all);
    }

    /** Keeps the inode, as a stray write would. */
    private void overwrite(byte[] bytes) throws IOException {
        Files.write(file, bytes);
    }

    private static int find(byte[] bytes, byte[] wanted) {
        for (int at = FIRST; at <= bytes.length - wanted.length; at++) {
            if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        throw new AssertionError("value not in the file");
    }

    private static byte[] value(int key, int version) {
        // The versions of a key differ in size: the older one is left where it was.
        byte[] value = new byte[40 + (key + 75 * version) % 150];
        new Random(key * 31L + version).nextBytes(value);
        return value;
    }
}
