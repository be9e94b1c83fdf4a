package org.lrwp.engine.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

class SpoolTest {
    private static final int PER_BODY = 1000;
    private static final int MEMORY = 2500;
    private static final int DISK = 200_000;
    private static final int ANSWER_LIMIT = 5000;

    @TempDir private Path folder;

    private final Random bytes = new Random(7);

    private SpoolStore store() {
        return store(DISK);
    }

    private SpoolStore store(long disk) {
        return new SpoolStore(new SpoolConfig(folder, PER_BODY, MEMORY, disk, ANSWER_LIMIT));
    }

    @AfterEach
    void noFileIsLeft() {
        File[] files = folder.toFile().listFiles();
        assertNotNull(files);
        assertEquals(0, files.length, () -> Arrays.toString(files));
    }

    private ByteBuffer some(int count) {
        byte[] content = new byte[count];
        bytes.nextBytes(content);
        return ByteBuffer.wrap(content);
    }

    private static byte[] drain(Spool spool) {
        var all = new ByteArrayOutputStream();
        ByteBuffer next = spool.poll();
        while (next != null) {
            assertTrue(next.hasRemaining());
            all.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
            next = spool.poll();
        }
        return all.toByteArray();
    }

    // ---- In memory.

    @Test
    void whatIsAddedIsReadInOrder() throws NoSpaceException {
        SpoolStore store = store();
        Spool spool = store.forAnswer();
        assertNull(spool.poll());
        ByteBuffer added = some(10);
        spool.append(added.duplicate());
        spool.append(some(0));
        assertEquals(10, store.memoryBytes());
        assertEquals(BodyEnding.OPEN, spool.ending());
        assertEquals(added, ByteBuffer.wrap(drain(spool)));
        assertEquals(0, store.memoryBytes());
        assertEquals(10, spool.size());
        assertEquals(10, spool.polled());
        spool.complete();
        spool.breakOff();
        assertEquals(BodyEnding.COMPLETE, spool.ending());
        spool.close();
    }

    @Test
    void whatIsAddedIsCopied() throws NoSpaceException {
        Spool spool = store().forRequest();
        ByteBuffer reused = ByteBuffer.wrap(new byte[] {1, 2, 3});
        spool.append(reused);
        assertFalse(reused.hasRemaining());
        reused.put(0, (byte) 9);
        assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), spool.poll());
        spool.close();
    }

    @Test
    void itIsCompleteOnlyWhenAllHasBeenRead() throws NoSpaceException {
        Spool spool = store().forRequest();
        spool.append(some(5));
        spool.complete();
        assertEquals(BodyEnding.OPEN, spool.ending());
        drain(spool);
        assertEquals(BodyEnding.COMPLETE, spool.ending());
        spool.close();
        assertEquals(BodyEnding.BROKEN, spool.ending());
    }

    @Test
    void nothingCanBeAddedBehindTheEnd() {
        Spool spool = store().forRequest();
        spool.complete();
        assertThrows(IllegalStateException.class, () -> spool.append(some(1)));
        spool.close();
    }

    @Test
    void whatComesBehindABreakIsDropped() throws NoSpaceException {
        SpoolStore store = store();
        Spool spool = store.forAnswer();
        spool.append(some(5));
        spool.breakOff();
        spool.complete();
        ByteBuffer late = some(3);
        spool.append(late);
        assertFalse(late.hasRemaining());
        assertEquals(BodyEnding.BROKEN, spool.ending());
        assertEquals(5, drain(spool).length);
        spool.close();
        assertEquals(0, store.memoryBytes());
    }

    @Test
    void aClosedSpoolTakesEverythingAndKeepsNothing() throws NoSpaceException {
        SpoolStore store = store();
        Spool spool = store.forAnswer();
        spool.append(some(900));
        spool.append(some(900));
        spool.close();
        spool.close();
        assertEquals(0, store.memoryBytes());
        assertEquals(0, store.diskBytes());
        spool.append(some(100_000));
        assertNull(spool.poll());
        assertTrue(spool.hasRoom());
        assertEquals(BodyEnding.BROKEN, spool.ending());
    }

    @Test
    void aClosedSpoolHasRoomWhenDiskIsUsedUp() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 0, 0, 100, ANSWER_LIMIT));
        Spool other = store.forRequest();
        other.append(some(100));
        Spool spool = store.forAnswer();
        spool.close();
        assertTrue(spool.hasRoom());
        other.close();
    }

    // ---- Memory, then file.

    @Test
    void whatIsAboveTheLimitOfOneBodyGoesToAFile() throws NoSpaceException {
        SpoolStore store = store();
        Spool spool = store.forRequest();
        byte[] all = new byte[3000];
        bytes.nextBytes(all);
        for (int i = 0; i < all.length; i += 300) {
            spool.append(ByteBuffer.wrap(all, i, 300));
        }
        assertEquals(900, store.memoryBytes());
        assertEquals(2100, store.diskBytes());
        assertEquals(ByteBuffer.wrap(all), ByteBuffer.wrap(drain(spool)));
        spool.close();
        assertEquals(0, store.memoryBytes());
        assertEquals(0, store.diskBytes());
    }

    @Test
    void whatIsAboveTheLimitOfAllBodiesGoesToFiles() throws NoSpaceException {
        SpoolStore store = store();
        Spool[] spools = new Spool[4];
        for (int i = 0; i < spools.length; i++) {
            spools[i] = store.forRequest();
            spools[i].append(some(800));
        }
        assertEquals(2400, store.memoryBytes());
        assertEquals(800, store.diskBytes());
        for (Spool spool : spools) {
            assertEquals(800, drain(spool).length);
            spool.close();
        }
        assertEquals(0, store.memoryBytes() + store.diskBytes());
    }

    @Test
    void anAnswerReturnsToMemoryWhenItsFileIsRead() throws NoSpaceException {
        SpoolStore store = store();
        Spool spool = store.forAnswer();
        spool.append(some(900));
        spool.append(some(900));
        spool.append(some(10));
        assertEquals(910, store.diskBytes());
        drain(spool);
        assertEquals(0, store.diskBytes());
        spool.append(some(10));
        assertEquals(10, store.memoryBytes());
        assertEquals(0, store.diskBytes());
        spool.close();
    }

    @Test
    void whatDoesNotFitIsRefusedAndLeavesTheSpoolAsItWas() throws NoSpaceException {
        SpoolStore store = store(1500);
        Spool spool = store.forRequest();
        spool.append(some(1000));
        spool.append(some(1500));
        ByteBuffer more = some(1);
        assertThrows(NoSpaceException.class, () -> spool.append(more));
        assertEquals(1, more.remaining());
        assertEquals(2500, spool.size());
        assertEquals(2500, drain(spool).length);
        spool.close();
        assertEquals(0, store.diskBytes());
    }

    @Test
    void aFolderThatIsNotThereIsNoSpace() {
        var config = new SpoolConfig(folder.resolve("none"), 0, 0, DISK, ANSWER_LIMIT);
        var store = new SpoolStore(config);
        Spool spool = store.forRequest();
        assertThrows(NoSpaceException.class, () -> spool.append(some(1)));
        assertEquals(0, store.diskBytes());
        spool.close();
    }

    // ---- Twice.

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 1001, 5000, 150_000})
    void aRequestCanBeReadAgainFromItsStart(int length) throws NoSpaceException {
        SpoolStore store = store();
        Spool spool = store.forRequest();
        byte[] all = new byte[length];
        bytes.nextBytes(all);
        for (int i = 0; i < length; i += 700) {
            spool.append(ByteBuffer.wrap(all, i, Math.min(700, length - i)));
        }
        spool.complete();
        spool.poll();
        assertTrue(spool.rewind());
        assertEquals(ByteBuffer.wrap(all), ByteBuffer.wrap(drain(spool)));
        assertEquals(BodyEnding.COMPLETE, spool.ending());
        assertTrue(spool.rewind());
        assertEquals(0, spool.polled());
        assertEquals(ByteBuffer.wrap(all), ByteBuffer.wrap(drain(spool)));
        spool.close();
        assertEquals(0, store.memoryBytes() + store.diskBytes());
    }

    @Test
    void anAnswerCannotBeReadAgain() {
        Spool spool = store().forAnswer();
        assertFalse(spool.rewind());
        spool.close();
    }

    @Test
    void aClosedRequestIsNotReadAgain() throws NoSpaceException {
        Spool spool = store().forRequest();
        spool.append(some(5));
        spool.complete();
        spool.close();
        assertTrue(spool.rewind());
        assertNull(spool.poll());
        assertEquals(BodyEnding.BROKEN, spool.ending());
    }

    @Test
    void aStreamedRequestCanBeReadAgainAsLongAsAllOfItFitsIntoMemory() throws NoSpaceException {
        Spool spool = store().forRequest();
        spool.stream();
        spool.append(some(40));
        assertEquals(40, drain(spool).length);
        assertTrue(spool.rewind());
        spool.append(some(4_000));
        assertEquals(4_040, drain(spool).length);
        assertTrue(spool.rewind());

        spool.stream();
        assertEquals(4_040, drain(spool).length);
        spool.append(some(1));
        assertFalse(spool.rewind());
        spool.close();
    }
}
