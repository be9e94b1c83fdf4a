package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The command {@code check}, and the classes of a web application that it needs. */
class CheckCommandTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return ProxyServer.run(print(out), print(err), arguments);
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String told(ByteArrayOutputStream by) {
        return by.toString(StandardCharsets.UTF_8);
    }

    @Test
    void wrongUseIsASentenceAndExitCode2() {
        assertEquals(2, run("check"));
        assertTrue(told(err).startsWith("lrwp: Missing required option: '--config=FILE'"));
        err.reset();
        assertEquals(2, run("check", "--config", "x", "--war", folder + "/none.war"));
        assertEquals(
                "lrwp: the web application " + folder + "/none.war is missing", told(err).strip());
    }

    @Test
    void helpSaysWhatIsCheckedAndTheExitCodes() {
        assertEquals(0, run("check", "--help"));
        assertTrue(told(out).contains("lrwp check --config FILE"), told(out));
        assertTrue(told(out).contains("1 with one"), told(out));
    }

    @Test
    void aWarGivesItsOwnClassesAndLeavesNothingBehind() throws IOException {
        Path library = folder.resolve("library.jar");
        zip(library, "inside.txt");
        Path war = folder.resolve("some.war");
        try (ZipOutputStream entries = new ZipOutputStream(Files.newOutputStream(war))) {
            entry(entries, "index.html", new byte[0]);
            entry(entries, "WEB-INF/classes/", new byte[0]);
            entry(entries, "WEB-INF/classes/own/name.txt", new byte[] {'x'});
            entry(entries, "WEB-INF/lib/library.jar", Files.readAllBytes(library));
            entry(entries, "WEB-INF/classes/../../../out.txt", new byte[0]);
        }

        Path place;
        try (WarClasses classes = WarClasses.open(war)) {
            var own = classes.loader().getResource("own/name.txt");
            assertNotNull(own);
            place = Path.of(own.getPath());
            assertTrue(Files.exists(place));
            try (InputStream inside = classes.loader().getResourceAsStream("inside.txt")) {
                assertNotNull(inside);
            }
            assertNull(classes.loader().getResource("index.html"));
            assertThrows(
                    ClassNotFoundException.class,
                    () -> classes.loader().loadClass(ProxyServer.class.getName()));
        }
        assertFalse(Files.exists(place));
        assertFalse(Files.exists(place.getRoot().resolve("out.txt")));
    }

    private static void zip(Path file, String name) throws IOException {
        try (ZipOutputStream entries = new ZipOutputStream(Files.newOutputStream(file))) {
            entry(entries, name, new byte[] {'y'});
        }
    }

    private static void entry(ZipOutputStream entries, String name, byte[] bytes)
            throws IOException {
        entries.putNextEntry(new ZipEntry(name));
        entries.write(bytes);
        entries.closeEntry();
    }
}
