package org.lrwp.engine.spool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

/** Spools between a producer and a reader that are not equally fast. */
class SpoolRoomTest {
    private static final int READ = 64 * 1024;

    @TempDir private Path folder;

    private Spool answer(long memoryPerBody, long disk, long answerLimit) {
        var config = new SpoolConfig(folder, memoryPerBody, 10_000_000, disk, answerLimit);
        return new SpoolStore(config).forAnswer();
    }

    private static ByteBuffer some(int count) {
        return ByteBuffer.allocate(count);
    }

    @Test
    void theReaderIsToldOfBytesAndOfTheEnd() throws NoSpaceException {
        Spool spool = answer(1000, 1000, 1000);
        int[] told = {0};
        spool.onReady(() -> told[0]++);
        spool.append(some(1));
        assertEquals(1, told[0]);
        spool.complete();
        assertEquals(2, told[0]);
        spool.complete();
        assertEquals(2, told[0]);
        spool.close();
    }

    @Test
    void whoAddsIsToldOnceWhenThereIsRoomAgain() throws NoSpaceException {
        Spool spool = answer(100_000, 1_000_000, 1000);
        int[] told = {0};
        spool.onRoom(() -> told[0]++);
        spool.append(some(600));
        assertTrue(spool.hasRoom());
        spool.append(some(600));
        assertFalse(spool.hasRoom());
        spool.poll();
        assertEquals(1, told[0]);
        spool.poll();
        assertEquals(1, told[0]);
        spool.close();
        assertEquals(2, told[0]);
    }

    @Test
    void aStreamedBodyHasRoomForHalfAWindowHoweverMuchMemoryItMayHave() throws NoSpaceException {
        Spool spool = answer(1_000_000, 1_000_000, 1_000_000);
        spool.stream();
        int[] told = {0};
        spool.onRoom(() -> told[0]++);
        spool.append(some(32_767));
        assertTrue(spool.hasRoom());
        spool.append(some(1));
        assertFalse(spool.hasRoom());
        spool.poll();
        assertEquals(1, told[0]);
        spool.close();
    }

    @Test
    void whoeverLooksAgainIsStillTold() throws NoSpaceException {
        var config = new SpoolConfig(folder, 0, 0, 2 * READ, 1_000_000);
        var store = new SpoolStore(config);
        Spool other = store.forAnswer();
        other.append(some(READ));
        Spool spool = store.forAnswer();
        int[] told = {0};
        spool.onRoom(() -> told[0]++);
        spool.append(some(READ));
        assertFalse(spool.hasRoom());
        other.close();
        assertTrue(spool.hasRoom());
        spool.poll();
        assertEquals(1, told[0]);
        spool.close();
    }

    @Test
    void closingTellsWhoAddsAndNobodyElse() throws NoSpaceException {
        Spool spool = answer(100_000, 1_000_000, 1000);
        int[] told = {0, 0};
        spool.onRoom(() -> told[0]++);
        spool.onReady(() -> told[1]++);
        spool.append(some(2000));
        spool.close();
        spool.complete();
        assertEquals(1, told[0]);
        assertEquals(1, told[1]);
    }

    /** A producer that obeys hasRoom and a slow reader, with next to no disk. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1000, READ, 3 * READ})
    void anAnswerWaitsWithItsPeerWhenDiskIsUsedUp(long disk) throws NoSpaceException {
        Spool spool = answer(READ, disk, 10_000_000);
        Random random = new Random(5);
        int added = 0;
        while (added < 2_000_000) {
            if (spool.hasRoom()) {
                int count = 1 + random.nextInt(READ);
                spool.append(some(count));
                added += count;
            } else {
                spool.poll();
            }
        }
        assertTrue(added - spool.polled() < 4L * READ + disk);
        spool.close();
    }

    @Test
    void whoAddsIsToldAlsoWhenOthersHaveMadeTheRoom() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 0, 0, 3 * READ, 10_000_000));
        Spool other = store.forRequest();
        other.append(some(2 * READ));
        Spool spool = store.forAnswer();
        int[] told = {0};
        spool.onRoom(() -> told[0]++);
        spool.append(some(READ));
        spool.append(some(READ));
        assertFalse(spool.hasRoom());
        other.close();
        spool.poll();
        assertEquals(1, told[0]);
        spool.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverTheirPaceAllBytesArriveInOrder(long seed) throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 5000, 20_000, 1_000_000, 100_000));
        Random random = new Random(seed);
        Spool spool = store.forAnswer();
        var sent = new ByteArrayOutputStream();
        var got = new ByteArrayOutputStream();
        for (int i = 0; i < 400; i++) {
            if (random.nextInt(100) < 55) {
                byte[] bytes = new byte[random.nextInt(2000)];
                random.nextBytes(bytes);
                sent.writeBytes(bytes);
                spool.append(ByteBuffer.wrap(bytes));
            } else {
                read(spool, got);
            }
            assertEquals(sent.size(), spool.size());
            assertEquals(got.size(), spool.polled());
            assertTrue(store.memoryBytes() <= 5000);
        }
        spool.complete();
        while (spool.ending() == BodyEnding.OPEN) {
            read(spool, got);
        }
        assertArrayEquals(sent.toByteArray(), got.toByteArray());
        spool.close();
        assertEquals(0, store.memoryBytes());
        assertEquals(0, store.diskBytes());
    }

    private static void read(Spool spool, ByteArrayOutputStream target) {
        ByteBuffer next = spool.poll();
        if (next != null) {
            target.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
        }
    }

    @Test
    void limitsAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> new SpoolConfig(folder, -1, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new SpoolConfig(folder, 0, -1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new SpoolConfig(folder, 0, 0, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> new SpoolConfig(folder, 0, 0, 0, 0));
    }
}
