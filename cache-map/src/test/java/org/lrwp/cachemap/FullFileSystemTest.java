package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * Maps on a tmpfs of two MiB, mounted where only a child process sees it. What a file system
 * promises and cannot give kills who touches it: so the exit code is part of each test.
 */
class FullFileSystemTest {
    private static final int SMALL = 1 << 20;

    @TempDir private Path folder;

    @BeforeEach
    void isMountable() throws Exception {
        Process probe =
                new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "none", "" + folder)
                        .redirectErrorStream(true)
                        .start();
        probe.getInputStream().transferTo(OutputStream.nullOutputStream());
        Assumptions.assumeTrue(probe.waitFor() == 0, "nobody may mount here");
    }

    @Test
    void aFileThatDoesNotFitIsOneClearErrorAndLeavesNothing() throws Exception {
        List<String> lines = child("large");
        assertTrue(
                lines.getFirst().matches(".*/map needs \\d+ bytes, but its .* free of 2097152"),
                lines.toString());
        assertEquals("[map.lock]", lines.get(1));
    }

    @Test
    void aFileThatIsThereHasAllItsBytesWhenTheFileSystemIsFull() throws Exception {
        assertEquals(List.of("full", "wrong 0", "more than a round true"), child("fill"));
    }

    @Test
    void aCopyWithHolesIsAnErrorAndNoSignal() throws Exception {
        List<String> lines = child("copy");
        assertEquals("full", lines.getFirst());
        assertTrue(lines.get(1).matches(".*/copy needs \\d+ bytes, .*"), lines.toString());
    }

    private List<String> child(String what) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = Child.classPath();
        String script =
                "mount -t tmpfs -o size=2m none \"$0\" && exec \"$1\" -XX:TieredStopAtLevel=1"
                        + " -cp \"$2\" org.lrwp.cachemap.FullFileSystemTest \"$3\" \"$0\"";
        Process child =
                new ProcessBuilder(
                                List.of(
                                        "unshare",
                                        "-rm",
                                        "sh",
                                        "-c",
                                        script,
                                        folder.toString(),
                                        java,
                                        classes,
                                        what))
                        .redirectErrorStream(true)
                        .start();
        String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, child.waitFor(), out);
        return out.lines().toList();
    }

    // ---- The child.

    /** What the child does. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        Path file = folder.resolve("map");
        switch (arguments[0]) {
            case "large" -> {
                tryToOpen(file, 3 * SMALL);
                try (var left = Files.list(folder)) {
                    System.out.println(left.map(Path::getFileName).toList());
                }
            }
            case "fill" -> {
                try (CacheMap map = CacheMap.open(CacheMapConfig.of(file, SMALL))) {
                    fill(folder.resolve("rest"));
                    System.out.println("wrong " + wrongAfterManyPuts(map));
                    System.out.println("more than a round " + (map.statistics().evicted() > 0));
                }
            }
            default -> {
                CacheMap.open(CacheMapConfig.of(file, SMALL)).close();
                Path copy = folder.resolve("copy");
                copyWithHoles(file, copy);
                Files.writeString(folder.resolve("copy.lock"), "there before it was full");
                fill(folder.resolve("rest"));
                tryToOpen(copy, SMALL);
            }
        }
    }

    private static void tryToOpen(Path file, long size) {
        try (CacheMap map = CacheMap.open(CacheMapConfig.of(file, size))) {
            System.out.println("opened " + map.recovery().outcome());
        } catch (CacheFileException e) {
            System.out.println(e.getMessage());
        }
    }

    /** Takes all room that is left. */
    private static void fill(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (true) {
                channel.write(ByteBuffer.allocate(4096));
            }
        } catch (IOException e) {
            System.out.println("full");
        }
    }

    private static int wrongAfterManyPuts(CacheMap map) {
        int wrong = 0;
        for (int key = 0; key < 5000; key++) {
            byte[] value = new byte[1000];
            Arrays.fill(value, (byte) key);
            map.put(key, value);
            wrong += Arrays.equals(value, map.get(key)) ? 0 : 1;
        }
        return wrong;
    }

    private static void copyWithHoles(Path from, Path to) throws IOException {
        byte[] bytes = Files.readAllBytes(from);
        try (FileChannel channel =
                FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int at = 0; at < bytes.length; at += 4096) {
                ByteBuffer page = ByteBuffer.wrap(bytes, at, 4096);
                if (page.mismatch(ByteBuffer.allocate(4096)) >= 0) {
                    channel.write(page, at);
                }
            }
        }
    }
}
