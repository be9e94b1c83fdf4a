package org.lrwp.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.sdk.PeerResponse;

import picocli.CommandLine;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(120)
final class PeerProgramTest {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final AtomicInteger ends = new AtomicInteger();

    private PeerProgram aProgram(String... arguments) {
        PeerOptions options = CommandLine.populateCommand(new PeerOptions(), arguments);
        return new PeerProgram(options, "/osp", request -> PeerResponse.text(200, "here"))
                .atEnd(ends::incrementAndGet);
    }

    private CompletableFuture<Integer> running(PeerProgram program) {
        PrintStream stream = new PrintStream(errors, true, StandardCharsets.UTF_8);
        return CompletableFuture.supplyAsync(() -> program.run(Map.of(), stream, true));
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    @Test
    void badOptionIsOneSentenceAndExitCode2() throws Exception {
        int code = running(aProgram("--concurrency", "0")).get();

        assertEquals(PeerProgram.UNUSABLE, code);
        assertEquals(
                "--concurrency: concurrency 0 is not within 1 to 65536" + System.lineSeparator(),
                errors());
        assertEquals(0, ends.get());
    }

    @Test
    void contextThatIsTooLongIsExitCode2() throws Exception {
        assertEquals(2, running(aProgram("--context", "/" + "x".repeat(201))).get());
        assertEquals(1, errors().lines().count());
    }

    @Test
    void refusalBeforeTheFirstRegistrationIsOneSentenceAndExitCode2() throws Exception {
        try (OneProxy proxy = new OneProxy()) {
            PeerProgram program = aProgram("--proxy", proxy.address(), "--concurrency", "1");
            CompletableFuture<Integer> code = running(program);
            proxy.acceptOld("osp", "ERROR: Application not permitted\n").close();

            assertEquals(PeerProgram.UNUSABLE, code.get());
            assertEquals(
                    "The proxy refused proxy="
                            + proxy.address()
                            + " context=/osp connection=1: ERROR: Application not permitted?"
                            + System.lineSeparator(),
                    errors());
            assertEquals(1, ends.get());
        }
    }

    @Test
    void fullProxyAndLaterRefusalsAreTriedAgainUntilTheProgramIsStopped() throws Exception {
        try (OneProxy proxy = new OneProxy()) {
            PeerProgram program = aProgram("--proxy", proxy.address(), "--concurrency", "1");
            CompletableFuture<Integer> code = running(program);
            proxy.acceptOld("osp", "ERROR: Out of resources").close();
            proxy.acceptOld("osp", "OK").close();
            proxy.acceptOld("osp", "ERROR: Application not permitted").close();
            try (Socket socket = proxy.acceptOld("osp", "OK")) {
                OneProxy.write(socket, "000000001\u0000000000000");
                assertEquals("000000", OneProxy.read(socket, 6));
                assertFalse(code.isDone());

                program.stop();
                assertEquals(0, code.get());
            }
            assertEquals("", errors());
            assertEquals(1, ends.get());
        }
    }

    @Test
    void framedRefusalOfLrwp3IsOneSentenceAndExitCode2() throws Exception {
        try (OneProxy proxy = new OneProxy()) {
            PeerProgram program = aProgram("--proxy", proxy.address());
            CompletableFuture<Integer> code = running(program);
            proxy.accept("\u00ff3.0\u00ffosp\u00ff\u00ff", "REJECTED\u00ffno\u00ff").close();

            assertEquals(PeerProgram.UNUSABLE, code.get());
            assertTrue(errors().endsWith("context=/osp connection=1: no" + System.lineSeparator()));
        }
    }

    @Test
    void signalLetsTheAnswerBeFinishedAndLogsToTheEnd() throws Exception {
        try (OneProxy proxy = new OneProxy()) {
            Process process = startHeldPeer(proxy);
            try (Socket socket = proxy.acceptOld("held", "OK");
                    BufferedReader output = process.inputReader()) {
                OneProxy.write(socket, "000000001\u0000000000000");
                awaitLine(output, "entered");

                // The handle leaves the streams of the process open.
                process.toHandle().destroy();
                process.getOutputStream().write('!');
                process.getOutputStream().flush();

                String digits = OneProxy.read(socket, 9);
                String answer = OneProxy.read(socket, Integer.parseInt(digits));
                assertTrue(answer.endsWith("released 33"), answer);
                assertEquals("", OneProxy.read(socket, 1));
                awaitLine(output, "closed proxy=");
                awaitLine(output, "ended");
                assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Process startHeldPeer(OneProxy proxy) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        List.of(
                                java,
                                "-cp",
                                System.getProperty("java.class.path"),
                                HeldPeer.class.getName(),
                                "--proxy",
                                proxy.address(),
                                "--concurrency",
                                "1"))
                .redirectErrorStream(true)
                .start();
    }

    private static void awaitLine(BufferedReader output, String part) throws Exception {
        String line = output.readLine();
        while (line != null && !line.contains(part)) {
            line = output.readLine();
        }
        assertNotNull(line, () -> "no line with " + part);
    }
}
