package org.lrwp.download.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

class FileStoreTest {
    @TempDir Path folder;
    private final AtomicLong now = new AtomicLong();
    private Instant time = Instant.now();
    private Path root = Path.of("unset");

    @BeforeEach
    void makeFolder() throws IOException {
        root = Files.createDirectories(folder.resolve("root"));
        Files.writeString(folder.resolve("secret"), "secret");
        Files.writeString(root.resolve("a.txt"), "hello");
        Files.createDirectories(root.resolve("sub/.git"));
        Files.writeString(root.resolve("sub/.git/config"), "hidden");
        Files.writeString(root.resolve("sub/index.html"), "index");
        Files.createDirectories(root.resolve("plain"));
        Files.writeString(root.resolve("plain/b"), "b");
        Files.writeString(root.resolve("plain/.c"), "c");
    }

    private FileRules rules(boolean symlinks, boolean listing, long cache) {
        return new FileRules(
                root,
                symlinks,
                "index.html",
                listing,
                List.of(".gz"),
                cache,
                1000,
                Duration.ofSeconds(1));
    }

    private FileStore store() throws IOException {
        return new FileStore(rules(true, true, 100_000), now::get, () -> time);
    }

    private static Found look(FileStore store, String path) throws IOException {
        try (Look look = store.look(path)) {
            return look.found();
        }
    }

    private static Found.File file(Found found) {
        return assertInstanceOf(Found.File.class, found);
    }

    private static String text(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return new String(copy, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret",
                "/sub/../../secret",
                "/./a.txt",
                "//a.txt",
                "/sub//index.html",
                "/..%2fsecret",
                "/a.txt\0",
                "/a.txt\0.html",
                "/\0",
                "/.",
                "/..",
                "/...",
                "/sub/.git/config",
                "/plain/.c",
                "/..\\secret",
                "/\\..\\secret",
                "/a.txt/",
                "/a.txt/b",
                "/out",
                "/outside/secret",
                "/hiddenlink/config",
                "/loop",
                "/\u00ff\u00fe",
                "/a.txt\r\n",
                "a.txt",
                "/none",
            })
    void nothingOutsideOrHiddenIsFound(String path) throws IOException {
        Files.createSymbolicLink(root.resolve("out"), folder.resolve("secret"));
        Files.createSymbolicLink(root.resolve("outside"), folder);
        Files.createSymbolicLink(root.resolve("hiddenlink"), root.resolve("sub/.git"));
        Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));

        assertInstanceOf(Found.Nothing.class, look(store(), path));
    }

    @Test
    void listingHasOnlyNamesThatCanBeAskedFor() throws IOException {
        Files.writeString(root.resolve("plain/line\nend"), "never sent");
        Files.writeString(root.resolve("plain/back\\slash"), "never sent");

        Found.Folder found = assertInstanceOf(Found.Folder.class, look(store(), "/plain/"));

        assertEquals(List.of("b"), found.entries().stream().map(Found.Entry::name).toList());
    }

    @Test
    void listingWithMoreNamesThanItMayHaveIsNotWhole() throws IOException {
        Path many = Files.createDirectory(root.resolve("many"));
        for (int i = 0; i < FileFinder.MOST_ENTRIES; i++) {
            Files.createFile(many.resolve("n" + i));
        }
        Files.createFile(many.resolve("not\nshown"));
        Found.Folder full = assertInstanceOf(Found.Folder.class, look(store(), "/many/"));
        Files.createFile(many.resolve("more"));
        Found.Folder cut = assertInstanceOf(Found.Folder.class, look(store(), "/many/"));

        assertEquals(FileFinder.MOST_ENTRIES, full.entries().size());
        assertTrue(full.whole());
        assertEquals(FileFinder.MOST_ENTRIES, cut.entries().size());
        assertFalse(cut.whole());
    }

    @Test
    void pathThatIsTooLongIsNothing() throws IOException {
        assertInstanceOf(Found.Nothing.class, look(store(), "/" + "a".repeat(5000)));
        assertInstanceOf(Found.Nothing.class, look(store(), "/" + "a".repeat(3000)));
    }

    @Test
    void linkWithinTheFolderIsFollowedUnlessForbidden() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("a.txt"));

        assertEquals("link", file(look(store(), "/link")).name());
        FileStore strict = new FileStore(rules(false, false, 0), now::get, () -> time);
        assertInstanceOf(Found.Nothing.class, look(strict, "/link"));
        assertInstanceOf(Found.File.class, look(strict, "/a.txt"));
    }

    @Test
    void folderIsItsIndexOrItsList() throws IOException {
        assertEquals("index.html", file(look(store(), "/sub/")).name());
        assertInstanceOf(Found.Folder.class, look(store(), "/sub"));

        Found.Folder plain = assertInstanceOf(Found.Folder.class, look(store(), "/plain/"));

        assertEquals(List.of("b"), plain.entries().stream().map(Found.Entry::name).toList());
        FileStore silent = new FileStore(rules(true, false, 0), now::get, () -> time);
        Found.Folder unlisted = assertInstanceOf(Found.Folder.class, look(silent, "/plain/"));
        assertTrue(unlisted.entries().isEmpty());
    }

    @Test
    void smallFileIsKeptUntilItChanges() throws IOException {
        FileStore store = store();
        assertNull(store.recent("/a.txt"));
        Found.File first = file(look(store, "/a.txt"));
        assertNotNull(first.plain().content());
        assertEquals(first, store.recent("/a.txt"));

        now.addAndGet(Duration.ofSeconds(2).toNanos());
        time = time.plusSeconds(60);
        assertNull(store.recent("/a.txt"));
        assertEquals(first.plain(), file(look(store, "/a.txt")).plain());
        assertSame(file(look(store, "/a.txt")).plain(), file(look(store, "/a.txt")).plain());

        Files.writeString(root.resolve("a.txt"), "other");
        Files.setLastModifiedTime(
                root.resolve("a.txt"), FileTime.from(Instant.now().plusSeconds(9)));
        Found.File second = file(look(store, "/a.txt"));

        assertNotEquals(first.plain().etag(), second.plain().etag());
        ByteBuffer content = second.plain().content();
        assertEquals("other", content == null ? "" : text(content));
        // A container copies what has no array, for each download and each burst anew.
        assertTrue(content != null && content.hasArray());
        assertEquals(0, store.openFiles());
        assertTrue(store.memory().bytes() > 0);
    }

    @Test
    void fileThatHasGoneIsForgotten() throws IOException {
        FileStore store = store();
        look(store, "/a.txt");
        Files.delete(root.resolve("a.txt"));

        assertInstanceOf(Found.Nothing.class, look(store, "/a.txt"));
        assertNull(store.recent("/a.txt"));
    }

    @Test
    void memoryStaysWithinItsBound() throws IOException {
        FileStore store = new FileStore(rules(true, false, 10_000), now::get, () -> time);
        for (int i = 0; i < 100; i++) {
            Files.write(root.resolve("f" + i), new byte[900]);
            look(store, "/f" + i);
        }

        assertTrue(store.memory().bytes() <= 10_000, () -> "" + store.memory());
    }

    @Test
    void codedFileCountsUnlessItIsOlder() throws IOException {
        Files.writeString(root.resolve("a.txt.gz"), "coded");
        assertEquals(1, file(look(store(), "/a.txt")).coded().size());

        Files.setLastModifiedTime(root.resolve("a.txt.gz"), FileTime.fromMillis(0));

        assertEquals(0, file(look(store(), "/a.txt")).coded().size());
    }

    @Test
    void largeFileIsOpenOnceForAllWhoReadIt() throws IOException {
        Path large = root.resolve("large");
        try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
            sparse.setLength(5_000_000_000L);
            sparse.seek(4_999_999_997L);
            sparse.write(new byte[] {1, 2, 3});
        }
        FileStore store = store();
        FileVersion version = file(look(store, "/large")).plain();
        assertNull(version.content());

        try (OpenFile one = store.open(version);
                OpenFile other = store.open(version)) {
            assertEquals(1, store.openFiles());
            assertArrayEquals(new byte[] {0, 1, 2, 3}, one.read(4_999_999_996L, 4).array());
            assertArrayEquals(new byte[] {3}, other.read(4_999_999_999L, 1).array());
        }

        assertEquals(0, store.openFiles());
    }

    private FileVersion large(FileStore store) throws IOException {
        Files.write(root.resolve("l"), new byte[5000]);
        return file(look(store, "/l")).plain();
    }

    @Test
    void fileThatManyOpenAtOnceIsOpenUntilTheLastHasReadIt() throws Exception {
        byte[] bytes = new byte[5000];
        Files.write(root.resolve("large"), bytes);
        FileStore store = new FileStore(rules(true, false, 10_000), now::get, () -> time);
        FileVersion version = ((Found.File) look(store, "/large")).plain();
        assertNull(store.joinOpen(version));
        int readers = 4;
        CyclicBarrier together = new CyclicBarrier(readers);
        Callable<Boolean> reader =
                () -> {
                    together.await();
                    try (OpenFile file = store.open(version);
                            OpenFile again = Objects.requireNonNull(store.joinOpen(version))) {
                        return file.equals(again) && file.read(0, 5000).remaining() == 5000;
                    }
                };
        try (ExecutorService threads = Executors.newFixedThreadPool(readers)) {
            for (int round = 0; round < 200; round++) {
                for (Future<Boolean> one :
                        threads.invokeAll(Collections.nCopies(readers, reader))) {
                    assertTrue(one.get());
                }
                assertEquals(0, store.openFiles());
            }
        }
    }

    @Test
    void fileThatIsReplacedWhileItIsReadStaysTheOldOne() throws IOException {
        FileStore store = store();
        FileVersion version = large(store);
        try (OpenFile open = store.open(version)) {
            byte[] other = new byte[5000];
            other[0] = 1;
            Files.write(root.resolve("new"), other);
            Files.move(root.resolve("new"), root.resolve("l"), StandardCopyOption.REPLACE_EXISTING);

            assertEquals(0, open.read(0, 5000).get(0));
        }
        assertThrows(IOException.class, () -> store.open(version));
    }

    @Test
    void fileThatIsCutOrChangedWhileItIsReadFails() throws IOException {
        FileStore store = store();
        FileVersion version = large(store);
        try (OpenFile open = store.open(version);
                RandomAccessFile file = new RandomAccessFile(root.resolve("l").toFile(), "rw")) {
            file.setLength(100);
            assertThrows(IOException.class, () -> open.read(0, 5000));
            assertThrows(FileFaultException.class, open::requireUnchanged);
            file.setLength(5000);
            Files.setLastModifiedTime(root.resolve("l"), FileTime.fromMillis(0));
            assertThrows(FileFaultException.class, open::requireUnchanged);
            assertNull(store.joinOpen(version));
        }
    }

    @Test
    void rootHasToBeAFolder() {
        root = root.resolve("a.txt");

        assertThrows(IOException.class, this::store);
    }
}
