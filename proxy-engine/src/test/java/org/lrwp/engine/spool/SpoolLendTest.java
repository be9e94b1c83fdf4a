package org.lrwp.engine.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Bytes that are lent or given to a spool instead of copied. */
class SpoolLendTest {
    @TempDir private Path folder;

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.US_ASCII.decode(bytes).toString();
    }

    @Test
    void whatIsLentIsHandedOutAsItIsAndTakesNoMemory() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 10, 10, 0, 100));
        Spool spool = store.forAnswer();
        ByteBuffer own = bytes("longer than all the memory");
        own.position(12);
        spool.append(own, Handover.LENT);
        spool.append(bytes("copied"));
        assertEquals(6, store.memoryBytes());

        ByteBuffer first = Objects.requireNonNull(spool.poll());
        assertEquals("all the memory", text(first.duplicate()));
        own.put(12, (byte) 'A');
        assertEquals("All the memory", text(first), "it is the same bytes, not a copy");
        assertEquals("copied", text(Objects.requireNonNull(spool.poll())));
        spool.complete();
        assertEquals(BodyEnding.COMPLETE, spool.ending());
        assertEquals(20, spool.size());
        assertEquals(0, store.memoryBytes());
    }

    @Test
    void whatIsGivenIsNotCopiedAndCanBeReadTwice() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 10, 10, 0, 100));
        Spool spool = store.forRequest();
        byte[] array = "all of it".getBytes(StandardCharsets.US_ASCII);
        spool.append(ByteBuffer.wrap(array), Handover.GIVEN);
        spool.complete();
        assertEquals(9, store.memoryBytes());

        assertSame(array, Objects.requireNonNull(spool.poll()).array());
        assertTrue(spool.rewind());
        assertEquals("all of it", text(Objects.requireNonNull(spool.poll())));
        spool.close();
        assertEquals(0, store.memoryBytes());
    }

    @Test
    void whatIsGivenAboveTheMemoryGoesToTheDisk() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 4, 100, 1_000, 100));
        Spool spool = store.forRequest();
        spool.append(bytes("too long"), Handover.GIVEN);
        spool.complete();

        assertEquals(8, store.diskBytes());
        assertEquals("too long", text(Objects.requireNonNull(spool.poll())));
        spool.close();
    }

    @Test
    void behindBytesOfAFileItIsCopiedThere() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 4, 100, 1_000, 100));
        Spool spool = store.forAnswer();
        spool.append(bytes("file first"));
        spool.append(bytes("then this"), Handover.LENT);
        spool.complete();

        var all = new StringBuilder();
        ByteBuffer next = spool.poll();
        while (next != null) {
            all.append(text(next));
            next = spool.poll();
        }
        assertEquals("file firstthen this", all.toString());
        spool.close();
        assertEquals(0, store.diskBytes());
    }

    private Spool borrowing(byte[] array) throws NoSpaceException {
        Spool spool = new SpoolStore(new SpoolConfig(folder, 100, 100, 0, 100)).forAnswer();
        spool.append(ByteBuffer.wrap(array), Handover.BORROWED);
        return spool;
    }

    @Test
    void whatIsBorrowedIsReadInPlaceByWhoeverReadsAllOfItAtOnce() throws NoSpaceException {
        byte[] array = "all of it".getBytes(StandardCharsets.US_ASCII);
        Spool spool = borrowing(array);
        assertNull(spool.pollWhole(), "more may come");
        spool.complete();

        assertSame(array, Objects.requireNonNull(spool.pollWhole()).array());
        assertEquals(BodyEnding.COMPLETE, spool.ending());
        assertEquals(0, Objects.requireNonNull(spool.pollWhole()).remaining());
        spool.settle();
    }

    @Test
    void whatIsBorrowedIsCopiedForWhoeverMayKeepIt() throws NoSpaceException {
        byte[] array = "all of it".getBytes(StandardCharsets.US_ASCII);
        Spool spool = borrowing(array);
        ByteBuffer read = Objects.requireNonNull(spool.poll());
        array[0] = 'X';
        assertEquals("all of it", text(read));
    }

    @Test
    void whatIsBorrowedIsCopiedForAnotherThread() throws Exception {
        byte[] array = "all of it".getBytes(StandardCharsets.US_ASCII);
        Spool spool = borrowing(array);
        spool.complete();
        ByteBuffer read =
                CompletableFuture.supplyAsync(() -> Objects.requireNonNull(spool.pollWhole()))
                        .get();
        array[0] = 'X';
        assertEquals("all of it", text(read));
    }

    @Test
    void whatIsBorrowedTakesMemoryFromWhenItIsCopied() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 100, 100, 0, 100));
        Spool spool = store.forAnswer();
        spool.append(bytes("all of it"), Handover.BORROWED);
        assertEquals(0, store.memoryBytes());

        spool.settle();
        assertEquals(9, store.memoryBytes());
        spool.close();
        assertEquals(0, store.memoryBytes());
    }

    @Test
    void whatIsBorrowedWithoutMemoryForItGoesToTheDisk() throws NoSpaceException {
        var store = new SpoolStore(new SpoolConfig(folder, 4, 100, 1_000, 100));
        Spool spool = store.forAnswer();
        spool.append(bytes("too long"), Handover.BORROWED);

        assertEquals(8, store.diskBytes());
        assertEquals("too long", text(Objects.requireNonNull(spool.poll())));
        spool.close();
    }

    @Test
    void whatNobodyHasReadWhenItIsGivenBackIsCopied() throws NoSpaceException {
        byte[] array = "all of it".getBytes(StandardCharsets.US_ASCII);
        Spool spool = borrowing(array);
        spool.complete();
        spool.settle();
        array[0] = 'X';
        assertEquals("all of it", text(Objects.requireNonNull(spool.pollWhole())));
        spool.close();
    }

    @Test
    void severalPiecesAreNotReadAtOnce() throws NoSpaceException {
        Spool spool = borrowing("one".getBytes(StandardCharsets.US_ASCII));
        spool.append(bytes(" two"));
        spool.complete();
        assertNull(spool.pollWhole());
        assertEquals("one", text(Objects.requireNonNull(spool.poll())));
        assertEquals(" two", text(Objects.requireNonNull(spool.pollWhole())));
    }
}
