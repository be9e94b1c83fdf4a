package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Usages;
import org.lrwp.runtime.BadOptionException;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What an operator does beside running the peer. */
@Timeout(120)
final class CommandsTest {
    @TempDir Path folder = Path.of("");

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void theDemosTablesAreMadeAndExplained() {
        assertEquals(0, run("routes", "explain", "2678", "--data", data()));

        assertEquals(
                List.of(
                        "device any",
                        "2678 fits prefix '2'",
                        "d1 [1.1.1.1]:5060 priority=1 cost=0",
                        "d2 [2.2.2.2]:5060 priority=2 cost=0",
                        "1. d1 [1.1.1.1]:5060 called 2678",
                        "2. d2 [2.2.2.2]:5060 called 2678"),
                output.toString().lines().toList());
        assertTrue(Files.exists(folder.resolve("data/routes/prefixes.csv")));
    }

    @Test
    void tablesAreCheckedWithTheirLines() throws Exception {
        assertEquals(0, run("routes", "check", "--data", data()));
        assertTrue(output.toString().contains("prefixes=8 routes=36"), output::toString);

        Files.writeString(folder.resolve("data/routes/prefixes.csv"), "prefix,destination\nx,d1");
        assertEquals(2, run("routes", "check", "--data", data()));

        assertTrue(
                errors.toString().contains("prefixes.csv:2: 'x' is no prefix"), errors::toString);
    }

    @Test
    void tablesThatWereImportedRouteFromTheDatabase() throws Exception {
        run("routes", "check", "--data", data());
        Path routes = folder.resolve("data/routes");
        Path config = Files.writeString(folder.resolve("osp"), "routes.in-database=true");
        assertEquals(0, run("routes", "import", routes.toString(), "--data", data()));
        assertTrue(output.toString().contains("rows=46"), output::toString);

        assertEquals(0, run("routes", "explain", "1", "--data", data(), "--config", "" + config));

        assertTrue(output.toString().endsWith("1. d1 [1.1.1.1]:5060 called 1\n"));
    }

    @Test
    void recordsOfASpanAreWritten() throws Exception {
        try (CdrStore store =
                RecordsStart.store(OspConfiguration.usual(), folder.resolve("data"), line -> {})) {
            store.keep(Usages.of("4711", "source", "1", Tokens.NOW)).await();
        }

        assertEquals(0, run("cdr", "--data", data(), "--from", "2026-11-20", "--to", "2026-11-21"));
        assertTrue(output.toString().contains(",4711,"), output::toString);
        assertEquals(2, output.toString().lines().count());
        assertEquals(0, run("cdr", "--data", data(), "--to", "2026-11-20T07:28:35Z"));
        assertEquals(3, output.toString().lines().count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cdr --from yesterday",
                "cdr --format xml",
                "status",
                "routes import nowhere",
                "routes explain"
            })
    void whatCannotBeDoneIsOneSentenceAndExitCode2(String command) {
        assertEquals(2, run((command + " --data " + data()).split(" ")));

        assertEquals(1, errors.toString().lines().count(), errors::toString);
    }

    @Test
    void aFolderIsOfOnePeerAtATime() throws Exception {
        Path data = folder.resolve("data");
        FileChannel lock = RecordsStart.lock(data);
        try {
            BadOptionException refusal =
                    assertThrows(BadOptionException.class, () -> RecordsStart.lock(data));
            assertEquals("--data: another peer uses " + data, refusal.getMessage());
        } finally {
            lock.close();
        }
        RecordsStart.lock(data).close();
    }

    @Test
    void theLogOfCallsIsPutAsideWhenItIsLong() throws Exception {
        Path file = folder.resolve("nexus.log");
        NexusLog log = new NexusLog(file, 40, Tokens.CLOCK);

        log.accept("calls cpm=1 and so on and so on");
        log.accept("calls cpm=2");

        assertEquals("2026-11-20T07:28:35Z calls cpm=2\n", Files.readString(file));
        assertTrue(Files.readString(folder.resolve("nexus.log.1")).contains("cpm=1"));
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private int run(String... arguments) {
        CommandLine commandLine = OspPeer.commandLine();
        commandLine.setOut(new PrintWriter(output, true));
        commandLine.setErr(new PrintWriter(errors, true));
        return commandLine.execute(arguments);
    }
}
