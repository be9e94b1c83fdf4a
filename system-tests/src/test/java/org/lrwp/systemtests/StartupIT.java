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

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
