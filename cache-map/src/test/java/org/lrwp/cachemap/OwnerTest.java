package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.files.PrivateFile;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Two owners, in one process, in two, and one after the other. */
class OwnerTest {
    @TempDir private Path folder;

    private CacheMapConfig config() {
        return CacheMapConfig.of(folder.resolve("map"), 1 << 20);
    }

    @Test
    void aSecondOwnerInTheSameProcessIsTurnedAwayAndTheFirstKeepsItsLock() throws Exception {
        try (CacheMap map = CacheMap.open(config())) {
            CacheFileException refused =
                    assertThrows(CacheFileException.class, () -> CacheMap.open(config()));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("in use by this very process"));
            // Not lost by the attempt: another process is turned away all the same.
            assertEquals("in use by process " + pid(), Child.open(folder.resolve("map")));
            map.put(1, new byte[] {1});
            assertArrayEquals(new byte[] {1}, map.get(1));
        }
        assertEquals("opened 1", Child.open(folder.resolve("map")));
    }

    @Test
    void theLockOfAKilledOwnerIsFree() throws Exception {
        Process child = Child.holding(folder.resolve("map"));
        assertThrows(CacheFileException.class, () -> CacheMap.open(config()));
        child.destroyForcibly().waitFor();
        try (CacheMap map = CacheMap.open(config())) {
            assertEquals(
                    "process " + child.pid() + " has ended without closing it",
                    map.recovery().reason());
            assertArrayEquals(new byte[] {1}, map.get(1));
        }
    }

    @Test
    void aRedeployedApplicationFindsItsEntries() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (URLClassLoader loader = deployed()) {
                Class<?> application = loader.loadClass(Deployed.class.getName());
                assertNotEquals(Deployed.class, application);
                Object outcome =
                        application
                                .getMethod("run", Path.class)
                                .invoke(null, folder.resolve("map"));
                assertEquals(i, outcome);
            }
        }
    }

    @Test
    void aDeployedApplicationThatIsStillThereKeepsTheFileFromItsSuccessor() throws Exception {
        try (CacheMap map = CacheMap.open(config());
                URLClassLoader loader = deployed()) {
            var run = loader.loadClass(Deployed.class.getName()).getMethod("run", Path.class);
            Exception refused =
                    assertThrows(Exception.class, () -> run.invoke(null, folder.resolve("map")));
            assertTrue(
                    String.valueOf(refused.getCause()).contains("in use by this very process"),
                    String.valueOf(refused.getCause()));
            map.put(1, new byte[0]);
        }
    }

    @Test
    void anInspectorBesideTheOwnerDisturbsNobody() throws Exception {
        try (CacheMap map = CacheMap.open(config())) {
            for (long key = 0; key < 100; key++) {
                map.put(key, new byte[50]);
                map.get(key);
            }
            CacheFileInspector.Inspection seen = CacheFileInspector.inspect(folder.resolve("map"));
            assertEquals(100, seen.entries());
            assertEquals(100, seen.hits());
            assertEquals(pid(), seen.process());
            assertEquals(11, seen.written().size());
            assertTrue(seen.isSound());
            assertTrue(!seen.closed());
            assertEquals("in use by process " + pid(), Child.open(folder.resolve("map")));
        }
        assertTrue(CacheFileInspector.inspect(folder.resolve("map")).closed());
    }

    @Test
    void aFileSystemWithoutRoomIsOneClearErrorAndLeavesNothing() throws Exception {
        CacheMapConfig huge = CacheMapConfig.of(folder.resolve("map"), 1L << 50);
        CacheMapConfig larger = huge.withSegmentSize(CacheMapConfig.MOST_SEGMENT);

        CacheFileException refused =
                assertThrows(CacheFileException.class, () -> CacheMap.open(larger));

        assertTrue(
                String.valueOf(refused.getMessage())
                        .matches(".*/map needs \\d+ bytes, but its .* free of \\d+"),
                refused.getMessage());
        try (var left = Files.list(folder)) {
            assertEquals(1, left.count()); // the lock file
        }
    }

    @Test
    void aMissingFolderIsNamed() {
        CacheMapConfig config = CacheMapConfig.of(folder.resolve("no/map"), 1 << 20);
        CacheFileException refused =
                assertThrows(CacheFileException.class, () -> CacheMap.open(config));
        assertTrue(
                String.valueOf(refused.getMessage()).endsWith("no/map does not exist"),
                refused.getMessage());
    }

    @Test
    void aFileOfAnotherUserIsNotTakenOver() throws Exception {
        Path file = folder.resolve("map");
        try (CacheMap map = CacheMap.open(config())) {
            map.put(1, new byte[] {1});
        }
        Assumptions.assumeTrue(isRoot(), "only root gives files away");
        Files.setAttribute(file, "unix:uid", 12345);

        CacheFileException refused =
                assertThrows(CacheFileException.class, () -> CacheMap.open(config()));

        assertTrue(
                String.valueOf(refused.getMessage()).contains("map belongs to 12345, not to"),
                refused.getMessage());
    }

    @Test
    void aFileThatOthersMayWriteIsNotTakenOver() throws Exception {
        Path file = folder.resolve("map");
        try (CacheMap map = CacheMap.open(config())) {
            map.put(1, new byte[] {1});
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        CacheFileException refused =
                assertThrows(CacheFileException.class, () -> CacheMap.open(config()));

        assertTrue(
                String.valueOf(refused.getMessage()).contains("may be written by others"),
                refused.getMessage());
    }

    @Test
    void symbolicLinksAreNotFollowedAndWhatTheyNameStaysAsItIs() throws Exception {
        for (String name : new String[] {"map", "map.lock"}) {
            Path victim = Files.writeString(folder.resolve("victim"), "precious");
            Path link = Files.createSymbolicLink(folder.resolve(name), victim);

            CacheFileException refused =
                    assertThrows(CacheFileException.class, () -> CacheMap.open(config()));

            assertTrue(
                    String.valueOf(refused.getMessage()).contains(name + " is a symbolic link"),
                    refused.getMessage());
            assertEquals("precious", Files.readString(victim));
            Files.delete(link);
            Files.deleteIfExists(folder.resolve("map.lock"));
        }
    }

    @Test
    void itsFilesAreForTheirOwnerOnly() throws Exception {
        try (CacheMap map = CacheMap.open(config())) {
            map.put(1, new byte[] {1});
            for (String name : new String[] {"map", "map.lock"}) {
                assertEquals(
                        "rw-------",
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(folder.resolve(name))));
            }
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    /** Loads the map's classes again, as a container does for a new deployment. */
    private static URLClassLoader deployed() {
        URL main = CacheMap.class.getProtectionDomain().getCodeSource().getLocation();
        URL test = Deployed.class.getProtectionDomain().getCodeSource().getLocation();
        URL files = PrivateFile.class.getProtectionDomain().getCodeSource().getLocation();
        // The platform's class loader would find them in this module again.
        return new URLClassLoader(new URL[] {main, test, files}, null);
    }
}
