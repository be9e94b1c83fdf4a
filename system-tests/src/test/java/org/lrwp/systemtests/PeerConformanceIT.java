package org.lrwp.systemtests;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ConformanceRun;
import org.lrwp.systemtests.harness.OlderJava;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.Tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The libraries of all languages, and the proxy, against {@code peers/conformance}. The runs of the
 * languages go side by side, as they mostly wait.
 */
@Timeout(120)
class PeerConformanceIT {
    /** Cases that pass with every language, whatever it lacks. */
    private static final int WITH_ALL = 240;

    /** Groups of cases that meet the threads of handlers. */
    private static final List<String> WITH_THREADS =
            List.of("serving", "many", "proxies", "windows", "stuck", "upgrade", "ends");

    private static final String JAVA_17 = "java-17";
    private static final Map<String, ConformanceRun> RUNS = new HashMap<>();

    @TempDir static Path folder;

    @BeforeAll
    static void startAll() throws Exception {
        Tools.require("python3");
        for (PeerLanguage language : PeerLanguage.values()) {
            if (language.isThere()) {
                language.prepare();
                start(language.label(), List.of(), language.conformance());
            }
        }
        if (OlderJava.isThere()) {
            List<String> cases = new ArrayList<>();
            WITH_THREADS.forEach(group -> cases.addAll(List.of("--only", group)));
            start(JAVA_17, cases, PeerLanguage.conformanceOnJava17());
        }
    }

    private static void start(String name, List<String> options, List<String> peer)
            throws Exception {
        List<String> arguments = new ArrayList<>(options);
        arguments.add("--");
        arguments.addAll(peer);
        RUNS.put(name, ConformanceRun.start(name, arguments));
    }

    @AfterAll
    static void endAll() {
        RUNS.values().forEach(ConformanceRun::close);
    }

    @ParameterizedTest
    @EnumSource
    void libraryKeepsTheProtocol(PeerLanguage language) throws Exception {
        language.prepare();
        Objects.requireNonNull(RUNS.get(language.label())).requirePassed(WITH_ALL);
    }

    @Test
    void javaLibraryKeepsTheProtocolWithoutVirtualThreads() throws Exception {
        OlderJava.require();
        Objects.requireNonNull(RUNS.get(JAVA_17)).requirePassed(90);
    }

    @Test
    void proxyKeepsTheProtocol() throws Exception {
        String digits = "0123456789abcdef".repeat(4);
        Path key = Configuration.write(folder.resolve("billing.key"), digits + "\n");
        Path peers =
                Configuration.write(
                        folder.resolve("peers"),
                        "peer.billing.key.2026a = %s\npeer.billing.contexts = /identified/**\n"
                                .formatted(key));
        Path secrets = Configuration.write(folder.resolve("secrets"), "/secret = funky161\n");
        Path file =
                Configuration.write(
                        folder.resolve("proxy.properties"),
                        "agent.peers-file = %s\nsecrets-file = %s\n".formatted(peers, secrets));
        try (ProxyProcess proxy = ProxyProcess.start("conformance", file);
                ConformanceRun run =
                        ConformanceRun.start(
                                "proxy",
                                List.of(
                                        "--proxy-under-test",
                                        "127.0.0.1:" + proxy.lrwpPort(),
                                        "--http",
                                        "127.0.0.1:" + proxy.httpPort(),
                                        "--secret",
                                        "/secret:funky161",
                                        "--identity",
                                        "billing:2026a:" + digits + ":/identified"))) {
            run.requirePassed(95);
        }
    }

    @Test
    void casesOfTheContractCanFail() throws Exception {
        Path tests = Project.root().resolve("peers/conformance/tests");
        List<String> command = List.of("python3", "-m", "unittest", "discover", tests.toString());
        Tools.run(Project.target(), Duration.ofSeconds(110), "", command);
    }
}
