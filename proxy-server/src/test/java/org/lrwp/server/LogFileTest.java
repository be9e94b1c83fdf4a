package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.files.Rotation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;

class LogFileTest {
    private static final int ENOUGH_SECONDS = 60;

    /** Whoever runs the tests may have this process ignore SIGHUP, as nohup does. */
    private static final List<String> NOT_IGNORED =
            List.of(
                    "python3",
                    "-c",
                    "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL);"
                            + " os.execvp(sys.argv[1], sys.argv[1:])");

    @TempDir private Path folder;
    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    private LogFile open(long size, int kept) throws IOException {
        var out = new PrintStream(console, true, UTF_8);
        return new LogFile(folder.resolve("proxy.log"), new Rotation(size, false, kept), out);
    }

    @Test
    void aFolderOfEverybodyIsToldAndTheLogIsWritten() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        LogFile log = open(1000, 1);
        write(log, "one");
        log.close();
        assertTrue(text("proxy.log").contains("one"));
        String told = console.toString(UTF_8);
        assertTrue(told.startsWith("lrwp: warning: the log file "), told);
        assertTrue(told.contains("chmod o-w"), told);
    }

    private static void write(LogFile log, String text) {
        log.publish(new LogRecord(Level.INFO, text));
        log.flush();
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void fullFilesAreKeptAndAllAreForTheirOwnerOnly() throws Exception {
        LogFile log = open(10, 2);
        for (String text : new String[] {"one", "two", "three", "four"}) {
            write(log, text);
        }
        log.close();

        assertTrue(text("proxy.log").contains("four"));
        assertTrue(text("proxy.log.1").contains("three"));
        assertTrue(text("proxy.log.2").contains("two"));
        assertTrue(Files.notExists(folder.resolve("proxy.log.3")));
        for (String name : new String[] {"proxy.log", "proxy.log.1", "proxy.log.2"}) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.resolve(name))));
        }
    }

    @Test
    void afterReopenLinesGoToTheFileThatHasItsNameNow() throws Exception {
        LogFile log = open(0, 1);
        write(log, "old");
        Files.move(folder.resolve("proxy.log"), folder.resolve("renamed"));
        log.reopen();
        write(log, "new");
        log.close();
        write(log, "after the end");

        assertTrue(text("renamed").contains("old"));
        assertTrue(text("proxy.log").contains("new"));
        assertEquals(1, text("proxy.log").lines().count());
    }

    @Test
    void linesThatAreNotWrittenYetGoBeforeTheFileIsReopenedOrClosed() throws Exception {
        LogFile log = open(0, 1);
        log.publish(new LogRecord(Level.INFO, "old"));
        Files.move(folder.resolve("proxy.log"), folder.resolve("renamed"));
        log.reopen();
        log.publish(new LogRecord(Level.INFO, "last"));
        log.close();

        assertTrue(text("renamed").contains("old"));
        assertTrue(text("proxy.log").contains("last"));
    }

    @Test
    void aThreadThatIsInterruptedLosesNoLine() throws Exception {
        LogFile log = open(0, 1);
        Thread.currentThread().interrupt();
        write(log, "interrupted");
        assertTrue(Thread.interrupted());
        write(log, "later");
        log.close();

        assertEquals(2, text("proxy.log").lines().count());
    }

    @Test
    void whatCannotBeWrittenIsToldOnTheConsoleOnce() throws Exception {
        LogFile log = open(0, 1);
        Files.delete(folder.resolve("proxy.log"));
        Files.createDirectory(folder.resolve("proxy.log"));
        log.reopen();
        write(log, "lost");
        write(log, "lost too");
        log.close();

        String told = console.toString(UTF_8);
        assertTrue(told.startsWith("lrwp: the log file " + folder.resolve("proxy.log")), told);
        assertEquals(1, told.lines().count(), told);
    }

    @Test
    void aFileOfSomebodyElseIsNotWrittenTo() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Files.createSymbolicLink(folder.resolve("proxy.log"), victim);

        assertThrows(IOException.class, () -> open(0, 1).close());
        assertEquals("precious", Files.readString(victim));
    }

    /** Sends itself SIGHUP, and says when that has run what it shall. */
    static final class HangsUp {
        private HangsUp() {}

        public static void main(String[] arguments) throws Exception {
            var ran = new CountDownLatch(1);
            HangUp.runs(ran::countDown);
            long self = ProcessHandle.current().pid();
            if (new ProcessBuilder("kill", "-HUP", "" + self).start().waitFor() == 0
                    && ran.await(ENOUGH_SECONDS, TimeUnit.SECONDS)) {
                System.out.println("ran");
            }
        }
    }

    @Test
    void sigHupRunsWhatItShall() throws Exception {
        assertEquals("ran\n", output(NOT_IGNORED, HangsUp.class));
    }

    /** Waits for SIGHUP and says nothing else. */
    static final class Waits {
        private Waits() {}

        public static void main(String[] arguments) {
            HangUp.runs(() -> {});
        }
    }

    @Test
    void sigHupThatWhoeverStartsTheProcessHasItIgnoreIsTold() throws Exception {
        String told = output(List.of("nohup"), Waits.class);
        assertTrue(told.contains("hang-up-ignored reason="), told);
    }

    private static String output(List<String> starter, Class<?> main) throws Exception {
        List<String> command = new ArrayList<>(starter);
        command.addAll(
                List.of(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }
}
