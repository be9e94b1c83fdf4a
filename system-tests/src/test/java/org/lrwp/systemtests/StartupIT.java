package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that cannot start says why, in a sentence. */
@Timeout(120)
class StartupIT {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @TempDir Path folder;

    @Test
    void allFaultsOfTheConfigurationAreToldAtOnce() throws Exception {
        Path file =
                Configuration.write(
                        folder.resolve("bad.properties"),
                        "agent.prot = 1\ncontext.queue-time = soon\nspool.folder = /nowhere\n");

        try (ProxyProcess proxy = launch("bad-configuration", file)) {
            assertEquals(2, proxy.exit(LONGEST));
            String told = proxy.output();

            for (String part : List.of("agent.prot", "queue-time", "soon", "/nowhere")) {
                assertTrue(told.contains(part), part + " is not in: " + told);
            }
            requireNoStack(told);
        }
    }

    @Test
    void secretsThatOthersCanReadStopTheStart() throws Exception {
        Path secrets = Files.writeString(folder.resolve("secrets"), "/a = hush-hush\n");
        Path file =
                Configuration.write(
                        folder.resolve("open.properties"), "secrets-file = " + secrets + "\n");

        try (ProxyProcess proxy = launch("open-secrets", file)) {
            assertEquals(2, proxy.exit(LONGEST));
            assertTrue(proxy.output().contains("600"), proxy.output());
            assertFalse(proxy.output().contains("hush-hush"), proxy.output());
        }
    }

    @Test
    void takenPortIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int http = FreePorts.one();
            try (ProxyProcess proxy =
                    ProxyProcess.launch("taken-port", http, taken.getLocalPort())) {
                assertEquals(2, proxy.exit(LONGEST));
                assertTrue(proxy.output().contains("" + taken.getLocalPort()), proxy.output());
                requireNoStack(proxy.output());
            }
        }
    }

    /** The container would answer 500 with a page of its own. */
    @Test
    void firstRequestIsRefusedInTheProxysWayIfItsTargetIsBroken() throws Exception {
        Path file = Configuration.write(folder.resolve("plain.properties"), "");

        try (ProxyProcess proxy = ProxyProcess.start("first-request", file);
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer answer = client.get("/a%2fb");

            assertEquals(400, answer.status());
            assertFalse(answer.text().contains("GlassFish"), answer.text());
        }
    }

    @Test
    void nobodyAnswersUntilThereIsSomethingToRoute() throws Exception {
        Path file = Configuration.write(folder.resolve("start.properties"), "");
        int http = FreePorts.one();
        try (ProxyProcess proxy =
                ProxyProcess.launch("start", http, FreePorts.one(), "--config", file.toString())) {
            AtomicInteger first = new AtomicInteger();
            Wait.require(
                    "it answers",
                    LONGEST.multipliedBy(2),
                    () -> {
                        first.set(statusOrNothing(http));
                        return first.get() != 0;
                    });

            assertEquals(200, first.get(), "the first answer of all");
            assertTrue(proxy.isRunning());
        }
    }

    /** The port is not open yet: there is no answer at all. */
    private static int statusOrNothing(int port) throws IOException {
        try (RawHttp client = RawHttp.to(port)) {
            return client.get("/-/health/ready").status();
        } catch (ConnectException notYet) {
            return 0;
        }
    }

    /** They would answer to a user without a password. */
    @Test
    void pagesForTheContainersAdministratorsAreNotThere() throws Exception {
        // Or the container would not be asked.
        Path file = Configuration.write(folder.resolve("pages.properties"), "front = servlet\n");
        try (ProxyProcess proxy = ProxyProcess.start("pages", file);
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            for (String page : List.of("/management", "/monitoring", "/command", "/__asadmin")) {
                Answers.requireError(404, "not-found", client.get(page));
                Answers.requireError(404, "not-found", client.get(page + "/domain"));
            }
        }
    }

    @Test
    void http2IsNotSpokenUnlessItIsAskedFor() throws Exception {
        Path file = Configuration.write(folder.resolve("http1.properties"), "");
        try (ProxyProcess proxy = ProxyProcess.start("http1", file);
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer answer =
                    client.get(
                            "/",
                            "Connection: Upgrade, HTTP2-Settings",
                            "Upgrade: h2c",
                            "HTTP2-Settings: AAMAAABkAAQAAP__");

            assertEquals("HTTP/1.1 200 OK", answer.statusLine());
        }
    }

    @Test
    void launcherHelpsAndRefusesWhatItDoesNotKnow() throws Exception {
        assertTrue(launcher(0, "help").contains("lrwp demo"));
        assertTrue(launcher(2, "frobnicate").contains("frobnicate"));
        assertFalse(launcher(2).isBlank());
    }

    private static ProxyProcess launch(String name, Path file) throws Exception {
        int http = FreePorts.one();
        int lrwp = FreePorts.one();
        return ProxyProcess.launch(name, http, lrwp, "--config", file.toString());
    }

    private static void requireNoStack(String told) {
        assertFalse(told.contains("\tat "), told);
        assertFalse(told.contains("Exception"), told);
    }

    private String launcher(int code, String... words) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Project.root().resolve("lrwp").toString());
        command.addAll(List.of(words));
        Path output = folder.resolve("launcher.txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended = process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
        process.destroyForcibly();
        String told = Files.readString(output);
        assertTrue(ended, "the launcher does not end: " + told);
        assertEquals(code, process.exitValue(), told);
        return told;
    }
}
