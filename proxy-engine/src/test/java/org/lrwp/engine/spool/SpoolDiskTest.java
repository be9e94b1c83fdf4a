package org.lrwp.engine.spool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Spools whose disk takes its time: it works when the test says so. */
@Timeout(30)
class SpoolDiskTest {
    private static final int CHUNK = 64 * 1024;

    @TempDir private Path folder = Path.of("unset");
    private final Queue<Runnable> disk = new ArrayDeque<>();
    private final AtomicInteger ready = new AtomicInteger();
    private final AtomicInteger room = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();

    private SpoolStore store(Path where) {
        return new SpoolStore(new SpoolConfig(where, 100, 1000, 10_000_000, 5_000_000), disk::add);
    }

    private Spool listened(Spool spool) {
        spool.onReady(ready::incrementAndGet);
        spool.onRoom(room::incrementAndGet);
        spool.onFault(faults::incrementAndGet);
        return spool;
    }

    private void diskWorks() {
        for (Runnable next = disk.poll(); next != null; next = disk.poll()) {
            next.run();
        }
    }

    private static ByteBuffer bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static byte[] taken(Spool spool) {
        ByteBuffer next = spool.poll();
        assertNotNull(next);
        byte[] bytes = new byte[next.remaining()];
        next.get(bytes);
        return bytes;
    }

    @Test
    void whatIsInTheFileComesWithACallOfTheListener() throws Exception {
        Spool spool = listened(store(folder).forAnswer());
        spool.append(bytes(90));
        spool.append(bytes(80));
        spool.complete();

        assertArrayEquals(bytes(90).array(), taken(spool));
        assertNull(spool.poll());
        assertEquals(BodyEnding.OPEN, spool.ending());
        int before = ready.get();
        diskWorks();

        assertTrue(ready.get() > before);
        assertArrayEquals(bytes(80).array(), taken(spool));
        assertEquals(BodyEnding.COMPLETE, spool.ending());
        spool.close();
        diskWorks();
    }

    @Test
    void whoAddsWaitsUntilTheDiskHasCaughtUp() throws Exception {
        Spool spool = listened(store(folder).forRequest());
        for (int i = 0; i < 4; i++) {
            assertTrue(spool.keepsUp());
            spool.append(bytes(CHUNK));
        }
        assertFalse(spool.keepsUp());
        assertEquals(0, room.get());

        diskWorks();

        assertEquals(1, room.get());
        assertTrue(spool.keepsUp());
        spool.close();
        diskWorks();
    }

    @Test
    void answerHasNoRoomWhileTheDiskIsBehind() throws Exception {
        Spool spool = listened(store(folder).forAnswer());
        for (int i = 0; i < 4; i++) {
            spool.append(bytes(CHUNK));
        }
        assertFalse(spool.hasRoom());

        diskWorks();

        assertTrue(spool.hasRoom());
        assertEquals(1, room.get());
        spool.close();
        diskWorks();
    }

    @Test
    void faultOfTheDiskIsToldAndGivesEverythingBack() throws Exception {
        SpoolStore store = store(folder.resolve("missing"));
        Spool spool = listened(store.forRequest());
        spool.append(bytes(200));
        assertEquals(200, store.diskBytes());

        diskWorks();

        assertEquals(1, faults.get());
        assertEquals(BodyEnding.BROKEN, spool.ending());
        assertEquals(0, store.diskBytes());
        spool.append(bytes(1));
        assertNull(spool.poll());
        spool.close();
        assertTrue(disk.isEmpty());
    }

    @Test
    void closingDoesNotWaitForTheDisk() throws Exception {
        SpoolStore store = store(folder);
        Spool spool = listened(store.forAnswer());
        spool.append(bytes(200));

        spool.close();

        assertEquals(0, store.diskBytes());
        diskWorks();
        assertTrue(isEmpty());
    }

    @Test
    void closingAfterTheDiskHasWorkedRemovesTheFile() throws Exception {
        Spool spool = listened(store(folder).forAnswer());
        spool.append(bytes(200));
        diskWorks();

        spool.close();
        diskWorks();

        assertTrue(isEmpty());
        assertNull(spool.poll());
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    @Test
    void secondReadStartsAtTheBeginningWhateverWasReadAhead() throws Exception {
        Spool spool = listened(store(folder).forRequest());
        spool.append(bytes(2 * CHUNK));
        spool.append(bytes(10));
        spool.complete();
        assertNull(spool.poll());
        diskWorks();
        byte[] first = taken(spool);

        assertTrue(spool.rewind());
        assertNull(spool.poll());
        diskWorks();

        assertArrayEquals(first, taken(spool));
        spool.close();
        diskWorks();
    }

    @Test
    void storeWhoseThreadsHaveEndedStillCleansUp() throws Exception {
        SpoolStore store = SpoolStore.open(new SpoolConfig(folder, 0, 0, 1_000_000, 1_000_000));
        Spool spool = store.forAnswer();
        spool.append(bytes(200));

        store.close();
        store.close();
        spool.close();

        assertTrue(isEmpty());
        assertThrows(
                IllegalStateException.class,
                () -> {
                    Spool late = store.forAnswer();
                    late.complete();
                    late.append(bytes(1));
                });
    }

    @Test
    void muchGoesThroughAsItCame() throws Exception {
        try (SpoolStore store =
                SpoolStore.open(new SpoolConfig(folder, 1000, 5000, 9_000_000, 300_000))) {
            Spool spool = store.forAnswer();
            var moved = new Semaphore(0);
            spool.onReady(moved::release);
            byte[] all = bytes(4_000_000).array();
            Thread writer = Thread.ofPlatform().daemon().start(() -> addAll(spool, all));
            var got = new ByteArrayOutputStream();
            while (spool.ending() == BodyEnding.OPEN) {
                ByteBuffer next = spool.poll();
                if (next != null) {
                    byte[] some = new byte[next.remaining()];
                    next.get(some);
                    got.write(some);
                } else if (spool.ending() == BodyEnding.OPEN) {
                    assertTrue(moved.tryAcquire(10, TimeUnit.SECONDS));
                }
            }
            writer.join();

            assertEquals(BodyEnding.COMPLETE, spool.ending());
            assertArrayEquals(all, got.toByteArray());
            spool.close();
        }
        assertTrue(isEmpty());
    }

    private static void addAll(Spool spool, byte[] all) {
        var room = new Semaphore(0);
        spool.onRoom(room::release);
        var random = new Random(5);
        try {
            for (int at = 0; at < all.length; ) {
                while (!spool.hasRoom()) {
                    assertTrue(room.tryAcquire(10, TimeUnit.SECONDS));
                }
                int count = Math.min(all.length - at, 1 + random.nextInt(20_000));
                spool.append(ByteBuffer.wrap(all, at, count));
                at += count;
            }
            spool.complete();
        } catch (NoSpaceException | InterruptedException e) {
            spool.breakOff();
        }
    }
}
