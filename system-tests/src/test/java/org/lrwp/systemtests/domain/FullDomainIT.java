package org.lrwp.systemtests.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.RequestFrame;
import org.lrwp.systemtests.harness.ScriptedPeer;
import org.lrwp.systemtests.harness.ServingPeer;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The web application in a full GlassFish 8.0.0 domain: at the root and at another root. */
final class FullDomainIT {
    private static final String APPLICATION = "lrwp";
    private static final int REDEPLOYS = 3;
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir private static Path folder = Path.of("unset");
    private static int lrwpPort;
    private static GlassFishDomain domain;

    @BeforeAll
    static void startTheDomain() throws Exception {
        lrwpPort = FreePorts.one();
        domain = GlassFishDomain.start(folder, "agent.port=" + lrwpPort + "\n");
    }

    @AfterAll
    static void stopTheDomain() throws Exception {
        domain.stop();
    }

    @Test
    void servesAtAnotherRootAndRedeploysLeaveNothingBehind() throws Exception {
        DomainFootprint before = deployTwice("/other");

        DomainFootprint after = redeployThreeTimes("/other", before);

        assertEquals(Map.of(), after.grownSince(before, REDEPLOYS));
        assertTrue(
                Wait.until(SOON, () -> domain.footprint().loaders() <= before.loaders()),
                () -> "class loaders " + before.loaders() + " became " + after.loaders());
        undeployFreesThePort(after);
    }

    /** At the root the container itself leaks a class loader and a thread with each redeploy. */
    @Test
    void servesAtTheRootAndRedeploysLeaveNothingOfOursBehind() throws Exception {
        DomainFootprint before = deployTwice("/");

        DomainFootprint after = redeployThreeTimes("/", before);

        Map<String, Long> grown = after.grownSince(before, REDEPLOYS);
        assertTrue(
                grown.keySet().stream().allMatch(name -> name.startsWith("JarFileManager")),
                () -> "threads that grew: " + grown);
        assertTrue(
                after.loaders() <= before.loaders() + REDEPLOYS,
                () -> "class loaders " + before.loaders() + " became " + after.loaders());
        undeployFreesThePort(after);
    }

    @Test
    void secondCopyIsRefusedAndTheFirstGoesOn() throws Exception {
        deploy("/first", APPLICATION);

        GlassFishDomain.Outcome second =
                domain.remote("deploy", "--contextroot", "/second", "--name", "copy", war());

        assertNotEquals(0, second.code(), second.output());
        serve("/first");
        domain.remote("undeploy", APPLICATION).requireSuccess();
    }

    /** The first redeploy warms up; what is measured is the difference that the next ones make. */
    private static DomainFootprint deployTwice(String root) throws Exception {
        deploy(root, APPLICATION);
        serve(root);
        redeploy(root);
        serve(root);
        return domain.footprint();
    }

    private static DomainFootprint redeployThreeTimes(String root, DomainFootprint before)
            throws Exception {
        for (int i = 0; i < REDEPLOYS; i++) {
            redeploy(root);
            serve(root);
        }
        assertTrue(
                Wait.until(
                        SOON,
                        () -> domain.footprint().descriptors() < before.descriptors() + REDEPLOYS),
                () -> "descriptors were " + before.descriptors());
        DomainFootprint after = domain.footprint();
        assertEquals(before.listeners(), after.listeners());
        return after;
    }

    private static void undeployFreesThePort(DomainFootprint deployed) throws Exception {
        domain.remote("undeploy", APPLICATION).requireSuccess();

        assertThrows(ConnectException.class, () -> ScriptedPeer.dial(lrwpPort).close());
        assertEquals(deployed.listeners() - 1, domain.footprint().listeners());
    }

    /** A request to a peer, one with a body, one to nobody, a static file, the status page. */
    private static void serve(String root) throws Exception {
        String prefix = root.equals("/") ? "" : root;
        try (ServingPeer peer = new ServingPeer(lrwpPort, "osp", FullDomainIT::describe);
                RawHttp http = RawHttp.to(domain.httpPort())) {
            HttpAnswer answer = http.get(prefix + "/osp/a%20b?x=1");
            assertEquals("GET|" + prefix + "/osp|/a b|x=1|", answer.text());
            http.post(prefix + "/osp", "body".getBytes(StandardCharsets.US_ASCII));
            assertEquals("POST|" + prefix + "/osp|||body", http.answer().text());
            assertEquals(404, http.get(prefix + "/nobody").status());
            assertTrue(http.get(prefix + "/").text().contains("<title>LRWP proxy</title>"));
            assertTrue(http.get(prefix + "/-/status").text().contains("\"/osp\""));
            assertEquals(2, peer.seen().size());
        }
    }

    private static byte[] describe(RequestFrame request) {
        return ScriptedPeer.plain(
                String.join(
                        "|",
                        request.env("REQUEST_METHOD"),
                        request.env("SCRIPT_NAME"),
                        request.env("PATH_INFO"),
                        request.env("QUERY_STRING"),
                        request.text()));
    }

    private static void deploy(String root, String name) throws Exception {
        domain.remote("deploy", "--contextroot", root, "--name", name, war()).requireSuccess();
    }

    private static void redeploy(String root) throws Exception {
        domain.remote("redeploy", "--contextroot", root, "--name", APPLICATION, war())
                .requireSuccess();
    }

    private static String war() throws IOException {
        Path target = Project.root().resolve("proxy-server/target");
        try (Stream<Path> files = Files.list(target)) {
            List<Path> wars = files.filter(file -> file.toString().endsWith(".war")).toList();
            assertEquals(1, wars.size(), wars::toString);
            return wars.getFirst().toString();
        }
    }
}
