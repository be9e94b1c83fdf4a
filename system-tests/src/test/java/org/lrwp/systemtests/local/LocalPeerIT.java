package org.lrwp.systemtests.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.JsonObject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/** A module inside the real server: what it does, well or badly, and what becomes of others. */
@Timeout(120)
class LocalPeerIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int SIGTERM = 143;
    private static final String SERVICE =
            "META-INF/services/org.lrwp.runtime.module.ModuleProvider";

    private static Path folder;
    private static Path watched;
    private static ProxyProcess proxy;

    @BeforeAll
    static void startTheServer() throws Exception {
        folder = Files.createDirectories(Project.target().resolve("local-peer"));
        watched = Files.writeString(folder.resolve("tryout.conf"), "greeting = hello\n");
        proxy = start("local-peer", "1s");
    }

    private static ProxyProcess start(String name, String responseTime) throws Exception {
        Path file =
                Configuration.write(
                        folder.resolve(name + ".properties"),
                        """
                        module.try.type = tryout
                        module.try.context = /try
                        module.try.config = %s
                        context./try.response-timeout = %s
                        drain-time = 20s
                        """
                                .formatted(watched, responseTime));
        return ProxyProcess.start(name, file, "--war", war().toString());
    }

    /** The web application with the module among its classes. */
    private static Path war() throws IOException {
        Path war = folder.resolve("proxy-with-tryout.war");
        Files.copy(
                Project.root().resolve("proxy-server/target/proxy-webapp.war"),
                war,
                StandardCopyOption.REPLACE_EXISTING);
        String packageFolder = TryoutModule.class.getPackageName().replace('.', '/');
        Path compiled = Project.built().resolve("test-classes").resolve(packageFolder);
        try (FileSystem inside = FileSystems.newFileSystem(war);
                Stream<Path> files = Files.list(compiled)) {
            Path classes = inside.getPath("WEB-INF/classes");
            Path target = Files.createDirectories(classes.resolve(packageFolder));
            for (Path file : files.toList()) {
                String name = Objects.requireNonNull(file.getFileName()).toString();
                if (name.startsWith("TryoutModule")) {
                    Files.copy(file, target.resolve(name));
                }
            }
            Path service = classes.resolve(SERVICE);
            Files.createDirectories(Objects.requireNonNull(service.getParent()));
            Files.writeString(service, TryoutModule.class.getName() + "\n");
        }
        return war;
    }

    @AfterAll
    static void endTheServer() {
        proxy.close();
    }

    private static RawHttp client() throws IOException {
        return RawHttp.to(proxy.httpPort());
    }

    private static HttpAnswer get(String target) throws IOException {
        try (RawHttp http = client()) {
            return http.get(target);
        }
    }

    private static JsonObject module() throws IOException {
        return proxy.status().page().getJsonArray("modules").getJsonObject(0);
    }

    private static int busy() throws IOException {
        return proxy.status().number("/try", "busy");
    }

    private static JsonObject peer() throws IOException {
        return proxy.status().page().getJsonArray("peers").getJsonObject(0);
    }

    @Test
    void aRequestIsAnsweredAndShownLikeThatOfAPeer() throws Exception {
        int before = module().getJsonObject("figures").getInt("requests");
        HttpAnswer answer = get("/try/text");
        assertEquals(200, answer.status());
        assertEquals("hello", answer.text());
        assertEquals("local:try", peer().getString("peer"));
        assertEquals("local", peer().getString("version"));
        assertEquals("tryout", module().getString("type"));
        assertEquals(before + 1, module().getJsonObject("figures").getInt("requests"));
        assertTrue(proxy.status().outcomes("/try", "answered") > 0);
    }

    @Test
    void aBodyOfAnyLengthGoesThroughAsItComes() throws Exception {
        byte[] body = new byte[8 << 20];
        new Random(1).nextBytes(body);
        try (RawHttp http = client()) {
            // Who echoes does not read on while nobody reads: so both at once.
            Thread sender =
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        try {
                                            http.post("/try/echo", body);
                                        } catch (IOException e) {
                                            throw new UncheckedIOException(e);
                                        }
                                    });
            HttpAnswer answer = http.answer();
            sender.join();
            assertEquals(200, answer.status());
            assertArrayEquals(body, answer.body());
        }
    }

    @Test
    void clientsThatDoNotReadCostLittleAndGetAllInTheEnd() throws Exception {
        // What another test has left stuck.
        int before = busy();
        List<RawHttp> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                RawHttp http = RawHttp.slowReader(proxy.httpPort());
                slow.add(http);
                http.request("GET", "/try/big");
            }
            Wait.require("all wait", SOON, () -> busy() == before + 40);
            assertEquals("hello", get("/try/text").text());
            // 40 x 32 MiB have been asked for; next to nothing is kept anywhere.
            assertTrue(proxy.status().spooled() < 8 << 20, () -> "spooled");
            HttpAnswer answer = slow.getFirst().answer();
            assertEquals(TryoutModule.BIG, answer.body().length);
        } finally {
            for (RawHttp http : slow) {
                http.close();
            }
        }
        Wait.require("all are let go", SOON, () -> busy() == before);
    }

    @Test
    void whatAHandlerDoesWrongCostsItsOwnRequest() throws Exception {
        assertEquals(500, get("/try/throws").status());
        assertEquals("once", get("/try/twice").text());
        List<RawHttp> lost = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                RawHttp http = client();
                lost.add(http);
                http.request("GET", i % 2 == 0 ? "/try/blocks" : "/try/never");
            }
            for (int i = 0; i < 20; i++) {
                assertEquals("hello", get("/try/text").text());
            }
            for (RawHttp http : lost) {
                assertEquals(504, http.answer().status());
            }
            assertTrue(peer().getJsonArray("stuck").size() >= 25);
            assertEquals("hello", get("/try/text").text());
        } finally {
            for (RawHttp http : lost) {
                http.close();
            }
        }
    }

    @Test
    void aChangedFileIsInUseWithinASecondAndABadOneIsRefused() throws Exception {
        Files.writeString(watched, "greeting = changed\n");
        Wait.require("it is read", SOON, () -> get("/try/text").text().equals("changed"));
        Files.writeString(watched, "greeting = bad\ncolour = red\n");
        Wait.require("it is refused", SOON, () -> !module().getString("refusal").isEmpty());
        assertEquals("unknown key colour (file " + watched + ":2)", module().getString("refusal"));
        assertEquals("changed", get("/try/text").text());
        Files.writeString(watched, "greeting = hello\n");
        Wait.require("it is read again", SOON, () -> get("/try/text").text().equals("hello"));
    }

    @Test
    void aServerThatStopsTellsItsModulesAndWaitingClientsAreAnswered() throws Exception {
        try (ProxyProcess other = start("local-peer-drain", "60s");
                RawHttp http = RawHttp.to(other.httpPort())) {
            http.request("GET", "/try/waits");
            Wait.require("it waits", SOON, () -> other.status().number("/try", "busy") == 1);
            other.askToStop();
            HttpAnswer answer = http.answer();
            assertEquals(503, answer.status());
            assertEquals("3", answer.value("Retry-After").orElse(""));
            assertEquals("later", answer.text());
            assertEquals(SIGTERM, other.exit(SOON));
        }
    }

    @Test
    void aModuleWithAFaultStopsTheStartWithOneSentence() throws Exception {
        Path file =
                Configuration.write(
                        folder.resolve("bad.properties"),
                        """
                        module.try.type = tryout
                        module.try.context = /try
                        module.try.colour = red
                        """);
        try (ProxyProcess bad =
                ProxyProcess.launch(
                        "local-peer-bad",
                        FreePorts.one(),
                        FreePorts.one(),
                        "--config",
                        file.toString(),
                        "--war",
                        war().toString())) {
            assertEquals(2, bad.exit(Duration.ofMinutes(1)));
            assertTrue(
                    bad.output().contains("The module module.try cannot start: unknown key colour"),
                    bad.output());
        }
    }
}
