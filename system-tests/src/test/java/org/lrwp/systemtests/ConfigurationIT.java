package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The proxy's file is changed while it runs, and checked without one. */
@Timeout(180)
class ConfigurationIT {
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @TempDir Path folder;

    private static String get(ProxyProcess proxy, String... more) throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer answer = client.get("/-/status", more);
            return answer.status() + " " + answer.text();
        }
    }

    @Test
    void aChangeTakesEffectAFaultIsToldAndAPortWaits() throws Exception {
        Path file = Configuration.write(folder.resolve("a.properties"), "status.forwarded=false\n");
        String forwarded = "X-Forwarded-Proto: http";
        try (ProxyProcess proxy = ProxyProcess.start("configuration", file)) {
            assertTrue(get(proxy, forwarded).startsWith("403 "));

            Files.writeString(file, "status.forwarded = perhaps\n");
            Wait.require(
                    "refusal", LONGEST, () -> get(proxy).contains("status.forwarded = perhaps"));
            assertTrue(get(proxy).contains("a.properties:1"));
            assertTrue(get(proxy, forwarded).startsWith("403 "));

            Files.writeString(file, "status.forwarded = true\nagent.max-peers = 77\n");
            Wait.require("change", LONGEST, () -> get(proxy, forwarded).startsWith("200 "));
            String status = get(proxy);
            assertTrue(status.contains("\"waiting\":[\"agent.max-peers\"]"), status);
            assertTrue(status.contains("\"refusal\":\"\""), status);
            assertTrue(proxy.output().contains("takes effect at the next start"), proxy.output());
        }
    }

    @Test
    void everyFaultIsToldWithoutAProxy() throws Exception {
        Path bad =
                Files.writeString(
                        folder.resolve("bad.properties"),
                        "context.grace = soon\nmodule.f.type = download\nmodule.f.context = /f\n");

        String told = check(1, bad);

        List<String> lines = told.lines().toList();
        assertEquals(2, lines.size(), told);
        assertTrue(told.contains("context.grace = soon (file " + bad + ":1): allowed is"), told);
        assertTrue(told.contains("module.f: root must be set"), told);
        Path good = Files.writeString(folder.resolve("good.properties"), "drain-time = 1m\n");
        assertEquals("The configuration has no fault.", check(0, good).strip());
    }

    private static String check(int code, Path file) throws Exception {
        String jar = Project.root().resolve("proxy-server/target/proxy-server.jar").toString();
        ProcessBuilder builder =
                new ProcessBuilder(Project.java("-jar", jar, "check", "--config", file.toString()))
                        .redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LRWP_"));
        Process process = builder.start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, process.waitFor(), told);
        return told;
    }
}
