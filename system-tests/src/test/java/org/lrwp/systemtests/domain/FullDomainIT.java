package org.lrwp.systemtests.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The web application in a full GlassFish 8.0.0 domain: at the root and at another root. */
final class FullDomainIT {
    private static final String APPLICATION = "lrwp";
    private static final String COPY = "copy";
    private static final int REDEPLOYS = 3;
    private static final String HTTP =
            "configs.config.server-config.network-config.protocols.protocol.http-listener-1.http.";
    private static final Pattern RESTARTS = Pattern.compile("\"restarts\":([0-9]+)");
    private static final Duration SOON = Duration.ofSeconds(20);

    /**
     * The container's kernel keeps cached pools ({@code pool-#-thread-#} for its commands, {@code
     * events-#} for its events): as many threads as tasks ever met, each until it was idle for 60
     * seconds. How many met is a matter of the machine.
     */
    private static final Duration CACHED_POOLS_SHRINK = Duration.ofSeconds(100);

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

    /** One failure is one failure: the next test finds an empty domain. */
    @AfterEach
    void undeploy() throws Exception {
        for (String name : List.of(APPLICATION, COPY)) {
            domain.remote("undeploy", name);
        }
    }

    @Test
    void servesAtAnotherRootAndRedeploysLeaveNothingBehind() throws Exception {
        DomainFootprint before = deployTwice("/other");

        redeployThreeTimes("/other", before);

        requireNoMoreThreads(before, name -> false);
        requireLoaders(before.loaders());
        undeployFreesThePort(before);
    }

    /** At the root the container itself leaks a class loader and a thread with each redeploy. */
    @Test
    void servesAtTheRootAndRedeploysLeaveNothingOfOursBehind() throws Exception {
        DomainFootprint before = deployTwice("/");

        redeployThreeTimes("/", before);

        requireNoMoreThreads(before, name -> name.startsWith("JarFileManager"));
        requireLoaders(before.loaders() + REDEPLOYS);
        undeployFreesThePort(before);
    }

    @Test
    void redeployKeepsTheContextRootThatItWasDeployedWith() throws Exception {
        deploy("/app", APPLICATION);

        domain.remote("redeploy", "--name", APPLICATION, war()).requireSuccess();

        serve("/app");
        try (RawHttp http = RawHttp.to(domain.httpPort())) {
            assertEquals(404, http.get("/-/status").status());
        }
    }

    @Test
    void secondCopyIsRefusedAndTheFirstGoesOn() throws Exception {
        deploy("/first", APPLICATION);

        GlassFishDomain.Outcome second =
                domain.remote("deploy", "--contextroot", "/second", "--name", COPY, war());

        assertNotEquals(0, second.code(), second.output());
        serve("/first");
    }

    @Test
    void peersDialAgainWhenTheApplicationIsRedeployedUnderLoad() throws Exception {
        deploy("/other", APPLICATION);
        try (LrwpPeer peer =
                        LrwpPeer.builder()
                                .proxy("127.0.0.1:" + lrwpPort)
                                .context("/osp")
                                .concurrency(8)
                                .listener(event -> {})
                                .handler(request -> PeerResponse.text(200, "served"))
                                .connect();
                SteadyClients clients = new SteadyClients(domain.httpPort(), "/other/osp/x", 4)) {
            assertTrue(peer.awaitRegistered(SOON));
            clients.requireServedSince(SOON);

            redeploy("/other");

            clients.requireServedSince(SOON);
            System.out.println("redeployed under load: " + clients.stop());
        }
    }

    /** Any change of a listener's settings makes the container build it anew. */
    @Test
    void restartOfTheContainersListenerIsSurvived() throws Exception {
        deploy("/other", APPLICATION);
        serve("/other");
        try (LrwpPeer peer =
                        LrwpPeer.builder()
                                .proxy("127.0.0.1:" + lrwpPort)
                                .context("/osp")
                                .concurrency(8)
                                .listener(event -> {})
                                .handler(request -> PeerResponse.text(200, "served"))
                                .connect();
                SteadyClients clients = new SteadyClients(domain.httpPort(), "/other/osp/x", 4)) {
            assertTrue(peer.awaitRegistered(SOON));
            clients.requireServedSince(SOON);

            domain.remote("set", HTTP + "max-connections=-1").requireSuccess();

            Wait.require("the port is back", SOON, () -> restarts("/other") >= 1);
            clients.requireServedSince(SOON);
            System.out.println("listener restarted under load: " + clients.stop());
        }
        // The last requests of clients that have left may wait for a peer until that is noticed.
        Wait.require("nobody waits", SOON, () -> status("/other").contains("\"inFlight\":0"));
        serve("/other");
    }

    private static String status(String root) throws IOException {
        try (RawHttp http = RawHttp.to(domain.httpPort())) {
            return http.get(root + "/-/status").text();
        }
    }

    private static long restarts(String root) throws Exception {
        try {
            String status = status(root);
            assertTrue(status.contains("\"container http-listener-1\""), status);
            Matcher count = RESTARTS.matcher(status);
            return count.find() ? Long.parseLong(count.group(1)) : -1;
        } catch (IOException restarting) {
            return -1;
        }
    }

    /** Both put something into the same listener; each goes on when the other one goes. */
    @Test
    void twoCopiesShareAListener() throws Exception {
        Path configuration = domain.config().resolve("lrwp.properties");
        String one = Files.readString(configuration);
        deploy("/first", APPLICATION);
        try {
            int second = FreePorts.one();
            Files.writeString(configuration, "agent.port=" + second + "\n");
            deploy("/second", COPY);
            serve("/first");
            serve("/second", second);

            domain.remote("undeploy", APPLICATION).requireSuccess();
            serve("/second", second);
            domain.remote("undeploy", COPY).requireSuccess();
        } finally {
            Files.writeString(configuration, one);
        }
        deploy("/first", APPLICATION);
        serve("/first");
    }

    /** The first redeploy warms up; what is measured is the difference that the next ones make. */
    private static DomainFootprint deployTwice(String root) throws Exception {
        deploy(root, APPLICATION);
        serve(root);
        redeploy(root);
        serve(root);
        return domain.footprint();
    }

    private static void redeployThreeTimes(String root, DomainFootprint before) throws Exception {
        for (int i = 0; i < REDEPLOYS; i++) {
            redeploy(root);
            serve(root);
        }
        assertTrue(
                Wait.until(
                        SOON,
                        () -> domain.footprint().descriptors() < before.descriptors() + REDEPLOYS),
                () -> "descriptors were " + before.descriptors());
        Wait.require(
                "as many listeners as before",
                SOON,
                () -> domain.footprint().listeners() == before.listeners());
    }

    /** Threads of ours are as many as before, soon; the container's once its pools have shrunk. */
    private static void requireNoMoreThreads(DomainFootprint before, Predicate<String> known)
            throws Exception {
        AtomicReference<Object> last = new AtomicReference<>("nothing");
        assertTrue(
                Wait.until(
                        SOON,
                        () -> {
                            last.set(domain.footprint().ownThreads());
                            return last.get().equals(before.ownThreads());
                        }),
                () -> "threads of ours: " + before.ownThreads() + " became " + last.get());
        assertTrue(
                Wait.until(
                        CACHED_POOLS_SHRINK,
                        () -> {
                            var grown = domain.footprint().containerGrowth(before, REDEPLOYS);
                            grown.keySet().removeIf(known);
                            last.set(grown);
                            return grown.isEmpty();
                        }),
                () -> "threads of the container that grew: " + last.get());
    }

    private static void requireLoaders(long atMost) throws Exception {
        assertTrue(
                Wait.until(SOON, () -> domain.footprint().loaders() <= atMost),
                () -> "more class loaders than " + atMost);
    }

    private static void undeployFreesThePort(DomainFootprint deployed) throws Exception {
        domain.remote("undeploy", APPLICATION).requireSuccess();

        assertThrows(ConnectException.class, () -> ScriptedPeer.dial(lrwpPort).close());
        Wait.require(
                "the listener is closed",
                SOON,
                () -> domain.footprint().listeners() == deployed.listeners() - 1);
    }

    /** A request to a peer, one with a body, one to nobody, a static file, the status page. */
    private static void serve(String root) throws Exception {
        serve(root, lrwpPort);
    }

    private static void serve(String root, int port) throws Exception {
        String prefix = root.equals("/") ? "" : root;
        try (ServingPeer peer = new ServingPeer(port, "osp", FullDomainIT::describe);
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
