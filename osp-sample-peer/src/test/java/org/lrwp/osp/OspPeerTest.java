package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.token.IdentityFiles;

import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(120)
final class OspPeerTest {
    @TempDir Path folder = Path.of("");

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void helpNamesEveryOption() {
        assertEquals(0, run("--help"));

        for (String option :
                new String[] {
                    "--proxy",
                    "--context",
                    "--vhost",
                    "--concurrency",
                    "--key",
                    "--certificate",
                    "--write-keys",
                    "--report-interval"
                }) {
            assertTrue(output.toString().contains(option), option);
        }
    }

    @Test
    void versionIsOneLine() {
        assertEquals(0, run("--version"));

        assertTrue(output.toString().startsWith("osp-peer "), output::toString);
        assertEquals(1, output.toString().lines().count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--key k.pem",
                "--certificate c.pem",
                "--key k.pem --certificate c.pem",
                "--key k.pem --certificate c.pem --write-keys .",
                "--report-interval soon",
                "--report-interval 0",
                "--no-such-option",
                "extra"
            })
    void anOptionThatCannotBeUsedIsOneSentenceAndExitCode2(String arguments) {
        assertEquals(2, run(arguments.split(" ")));

        assertEquals(1, errors.toString().lines().count(), errors::toString);
        assertEquals("", output.toString());
    }

    @Test
    void keysThatExistAreNotReplaced() throws Exception {
        IdentityFiles.write(Tokens.identity(), folder);
        byte[] before = Files.readAllBytes(folder.resolve("cakey.pem"));

        assertEquals(2, run("--write-keys", folder.toString()));

        assertEquals(
                folder.resolve("cakey.pem") + " exists and is not replaced",
                errors.toString().strip());
        assertEquals(-1, Files.mismatch(folder.resolve("cakey.pem"), copy(before)));
    }

    @ParameterizedTest
    @CsvSource({"1, PT1S", "90, PT1M30S", "PT2M, PT2M", "pt30m, PT30M", "86400, PT24H"})
    void anIntervalIsSecondsOrAsIso8601Says(String text, Duration interval) {
        assertEquals(interval, new ReportInterval().convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "PT0.9S", "-5", "86401", "P2D", "1m", "", "PT999999999999999H"})
    void anIntervalBeyondItsLimitsIsRefused(String text) {
        TypeConversionException refusal =
                assertThrows(
                        TypeConversionException.class, () -> new ReportInterval().convert(text));

        assertTrue(String.valueOf(refusal.getMessage()).startsWith("'" + text + "' is "));
    }

    @Test
    void theReportIsCalledForUntilTheClockIsStopped() throws Exception {
        CountDownLatch thrice = new CountDownLatch(3);
        AtomicInteger calls = new AtomicInteger();
        ReportClock clock =
                ReportClock.start(
                        Duration.ofMillis(1),
                        () -> {
                            calls.incrementAndGet();
                            thrice.countDown();
                        });

        boolean reached = thrice.await(60, TimeUnit.SECONDS);
        clock.stop();
        clock.stop();

        assertTrue(reached);
        assertTrue(calls.get() >= 3);
    }

    private Path copy(byte[] octets) throws Exception {
        return Files.write(folder.resolve("copy"), octets);
    }

    private int run(String... arguments) {
        CommandLine commandLine = OspPeer.commandLine();
        commandLine.setOut(new PrintWriter(output, true));
        commandLine.setErr(new PrintWriter(errors, true));
        return commandLine.execute(arguments);
    }
}
