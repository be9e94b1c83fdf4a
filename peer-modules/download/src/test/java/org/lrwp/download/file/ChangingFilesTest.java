package org.lrwp.download.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Files that others write, replace and cut while they are looked at and read. */
@Timeout(60)
class ChangingFilesTest {
    private static final int LOOKS = 5000;

    private static final int IN_MEMORY = 50_000;

    @TempDir Path root;
    private Path file = Path.of("unset");

    @SuppressWarnings("NullAway.Init")
    private FileStore store;

    @BeforeEach
    void makeStore() throws IOException {
        FileRules rules =
                new FileRules(
                        root, true, "", true, List.of(), 1_000_000, IN_MEMORY, Duration.ofHours(1));
        store = new FileStore(rules, System::nanoTime, InstantSource.system());
        file = root.resolve("f");
    }

    private static byte[] content(int size, int seed) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) seed);
        return bytes;
    }

    private FileVersion version() throws IOException {
        try (Look look = store.look("/f")) {
            return assertInstanceOf(Found.File.class, look.found()).plain();
        }
    }

    private OpenFile open() throws IOException {
        try (Look look = store.look("/f")) {
            return look.open(assertInstanceOf(Found.File.class, look.found()).plain());
        }
    }

    @Test
    void fileThatGrowsIsWhatItWasUpToItsOldEnd() throws IOException {
        Files.write(file, content(100_000, 1));
        try (OpenFile open = open()) {
            Files.write(file, content(50_000, 2), StandardOpenOption.APPEND);

            assertArrayEquals(content(100_000, 1), open.read(0, 100_000).array());
            open.requireUnchanged();
        }
        assertEquals(150_000, version().size());
    }

    @ParameterizedTest
    @ValueSource(ints = {99_999, 100_000, 200_000})
    void fileThatIsWrittenAnewInItsPlaceIsNotWhatItWas(int size) throws IOException {
        Files.write(file, content(100_000, 1));
        try (OpenFile open = open()) {
            Files.write(file, content(size, 2));

            assertThrows(FileFaultException.class, open::requireUnchanged);
        }
    }

    @Test
    void fileThatIsWrittenAnewAndThenRemovedIsNotWhatItWas() throws IOException {
        Files.write(file, content(100_000, 1));
        try (OpenFile open = open()) {
            Files.write(file, content(100_000, 2));
            Files.delete(file);

            assertThrows(FileFaultException.class, open::requireUnchanged);
        }
    }

    @Test
    void fileThatIsRemovedIsWhatItWas() throws IOException {
        Files.write(file, content(100_000, 1));
        try (OpenFile open = open()) {
            Files.delete(file);

            assertArrayEquals(content(100_000, 1), open.read(0, 100_000).array());
            open.requireUnchanged();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 100_000})
    void otherContentOfTheSameSizeAndTimeHasAnotherValidator(int size) throws IOException {
        FileTime time = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));
        Files.write(file, content(size, 1));
        Files.setLastModifiedTime(file, time);
        FileVersion first = version();
        Files.write(file, content(size, 2));
        Files.setLastModifiedTime(file, time);

        FileVersion second = version();

        assertNotEquals(first.etag(), second.etag());
        Files.copy(file, root.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(root.resolve("copy"), file, StandardCopyOption.REPLACE_EXISTING);
        assertEquals(second.etag(), version().etag());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 100_000})
    void fileThatIsReplacedAllTheTimeIsAlwaysOneOfThem(int size) throws Exception {
        Files.write(file, content(size, 0));
        AtomicBoolean over = new AtomicBoolean();
        Callable<Integer> writer =
                () -> {
                    Path next = root.resolve("next");
                    int written = 0;
                    while (!over.get()) {
                        Files.write(next, content(size, ++written));
                        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
                    }
                    return written;
                };
        Map<String, Byte> seen = new HashMap<>();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Integer> written = threads.submit(writer);
            try {
                for (int i = 0; i < 2000; i++) {
                    requireOneOfThem(size, seen);
                }
            } finally {
                over.set(true);
            }
            assertTrue(written.get() > 0);
        }
        assertEquals(0, store.openFiles());
    }

    /** What one of the threads does to the disk, again and again. */
    private interface Change {
        void make() throws IOException;
    }

    /** Looks many times at a path that is changed meanwhile. */
    private void whileItChanges(Change change, String path, Consumer<Found> look) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        int replaced = 0;
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Integer> changes =
                    threads.submit(
                            () -> {
                                int made = 0;
                                while (!over.get()) {
                                    change.make();
                                    made++;
                                }
                                return made;
                            });
            try {
                for (int i = 0; i < LOOKS; i++) {
                    try (Look now = store.look(path)) {
                        look.accept(now.found());
                    } catch (ReplacedException e) {
                        // It was another one at each of some looks, and that is said.
                        replaced++;
                    }
                }
            } finally {
                over.set(true);
            }
            assertTrue(changes.get() > 0);
        }
        assertTrue(replaced < LOOKS / 2, replaced + " of " + LOOKS);
        assertEquals(0, store.openFiles());
    }

    @Test
    void listingLeavesOutWhatIsRemovedMeanwhile() throws Exception {
        Path folder = Files.createDirectory(root.resolve("d"));
        Files.write(folder.resolve("stays"), content(1, 1));
        whileItChanges(
                () -> {
                    for (int i = 0; i < 10; i++) {
                        Files.write(folder.resolve("goes" + i), content(1, 1));
                    }
                    for (int i = 0; i < 10; i++) {
                        Files.delete(folder.resolve("goes" + i));
                    }
                },
                "/d/",
                found -> {
                    var listed = assertInstanceOf(Found.Folder.class, found).entries();
                    assertTrue(listed.stream().anyMatch(entry -> entry.name().equals("stays")));
                });
    }

    @Test
    void fileThatIsRemovedAtThatMomentIsNotThere() throws Exception {
        whileItChanges(
                () -> {
                    Files.write(file, content(1, 1));
                    Files.delete(file);
                },
                "/f",
                found -> assertFalse(found instanceof Found.Folder));
    }

    @Test
    void folderThatIsRemovedAtThatMomentIsNotThere() throws Exception {
        Path folder = root.resolve("d");
        whileItChanges(
                () -> {
                    Files.createDirectory(folder);
                    Files.delete(folder);
                },
                "/d/",
                found -> assertFalse(found instanceof Found.File));
    }

    private void requireOneOfThem(int size, Map<String, Byte> seen) throws IOException {
        try (Look look = store.look("/f")) {
            FileVersion version = assertInstanceOf(Found.File.class, look.found()).plain();
            byte[] got = bytes(look, version);
            assertArrayEquals(content(size, got[0]), got);
            Byte before = seen.putIfAbsent(version.etag(), got[0]);
            assertTrue(before == null || before == got[0], "one validator for two contents");
        }
    }

    private static byte[] bytes(Look look, FileVersion version) throws IOException {
        ByteBuffer content = version.content();
        if (content != null) {
            byte[] kept = new byte[content.remaining()];
            content.duplicate().get(kept);
            return kept;
        }
        try (OpenFile open = look.open(version)) {
            byte[] read = open.read(0, (int) version.size()).array();
            open.requireUnchanged();
            return read;
        }
    }
}
