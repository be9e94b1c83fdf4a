package org.lrwp.osp.cdr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.osp.usage.UsageKeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

@Timeout(60)
final class JournalTest {
    @TempDir Path folder = Path.of("");

    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

    /** The entry is in its file, but whoever waited was told that it is not kept. */
    @Test
    void whatWaitsIsCountedRightlyAfterAFaultOfTheDisk() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        try (Journal journal =
                new Journal(
                        folder,
                        1_000,
                        log::add,
                        written -> {
                            if (broken.get()) {
                                throw new IOException("planted");
                            }
                            written.force(false);
                        })) {
            journal.append(new byte[100]).await();
            broken.set(true);
            UsageKeeper.Kept lost = journal.append(new byte[50]);
            assertThrows(NotKeptException.class, lost::await);
            broken.set(false);
            journal.append(new byte[20]).await();

            assertTrue(log.remove().startsWith("journal-failed"), log::toString);
            assertEquals(108 + 28, journal.bytes());
            List<Path> sealed = journal.sealed();
            assertEquals(2, sealed.size());
            journal.done(sealed.getFirst());
            assertEquals(28, journal.bytes());
            journal.done(sealed.getLast());
            assertEquals(0, journal.bytes());
        }
    }

    @Test
    void whatAnEarlierJournalLeftIsCounted() throws Exception {
        try (Journal journal = new Journal(folder, 1_000, log::add)) {
            journal.append(new byte[100]).await();
        }

        try (Journal journal = new Journal(folder, 1_000, log::add)) {
            assertEquals(108, journal.bytes());
            journal.append(new byte[20]).await();
            for (Path each : journal.sealed()) {
                journal.done(each);
            }
            assertEquals(0, journal.bytes());
        }
    }
}
