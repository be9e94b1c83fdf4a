package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

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
                    "--token-key",
                    "--token-certificate",
                    "--config",
                    "--data",
                    "--report-interval",
                    "--set",
                    "--admin-port",
                    "--admin-token-file",
                    "--token-kind"
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
                "--token-certificate c.pem",
                "--token-key k.pem --token-certificate c.pem",
                "--config no-such-file",
                "create-keys --kind dsa",
                "--report-interval soon",
                "--report-interval 0",
                "--token-kind xml-singed",
                "--set no.such=1",
                "--admin-token-file no-such-file",
                "--no-such-option",
                "extra"
            })
    void anOptionThatCannotBeUsedIsOneSentenceAndExitCode2(String arguments) {
        assertEquals(2, run(arguments.split(" ")));

        assertEquals(1, errors.toString().lines().count(), errors::toString);
        assertEquals("", output.toString());
    }

    @Test
    void anAuthorityIsMadeOnceAndNeverReplaced() throws Exception {
        Path key = folder.resolve("keys/tokenkey.pem");

        assertEquals(0, run("create-keys", "--kind", "ecdsa", "--data", folder.toString()));
        String made = Files.readString(key);
        assertEquals(2, run("create-keys", "--data", folder.toString()));

        assertTrue(made.contains("BEGIN PRIVATE KEY"), made);
        assertEquals(key + " exists and is not replaced", errors.toString().strip());
        assertEquals(made, Files.readString(key));
    }

    @Test
    void everythingWrongInTheConfigurationIsToldAtOnce() throws Exception {
        Path config =
                Files.writeString(
                        folder.resolve("osp.properties"),
                        "token.kind=xml-singed\nmessages.max-size=1\ntoken.valid-for=PT1X\n"
                                + "messages.signed=maybe\ntoken.confirm-unsigned=yes\nno.such=1");

        assertEquals(2, run("--config", config.toString()));

        assertEquals(1, errors.toString().lines().count());
        for (String key :
                new String[] {
                    "token.kind",
                    "messages.max-size",
                    "token.valid-for",
                    "messages.signed",
                    "token.confirm-unsigned",
                    "unknown key no.such"
                }) {
            assertTrue(errors.toString().contains(key), errors::toString);
        }
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

    private int run(String... arguments) {
        CommandLine commandLine = OspPeer.commandLine();
        commandLine.setOut(new PrintWriter(output, true));
        commandLine.setErr(new PrintWriter(errors, true));
        return commandLine.execute(arguments);
    }
}
