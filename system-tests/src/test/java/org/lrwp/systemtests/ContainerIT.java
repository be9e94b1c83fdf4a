package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.lrwp.testkit.wire.ServingPeer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The servlet container comes when a request needs it, and programs are served without it. */
@Timeout(120)
class ContainerIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String STARTED = "container-started";

    @TempDir private Path folder;

    private ProxyProcess start(String name, String configuration, String... options)
            throws Exception {
        Path file = Configuration.write(folder.resolve(name + ".properties"), configuration);
        return ProxyProcess.start(name, file, options);
    }

    @Test
    void programsNeedNoContainerAndFilesBringIt() throws Exception {
        try (ProxyProcess proxy = start("on-demand", "");
                ServingPeer peer = ServingPeer.echo(proxy.lrwpPort(), "app");
                RawHttp forPeer = RawHttp.to(proxy.httpPort());
                RawHttp first = RawHttp.to(proxy.httpPort());
                RawHttp second = RawHttp.to(proxy.httpPort())) {
            assertEquals(200, forPeer.get("/app/x").status());
            assertEquals(200, forPeer.get("/-/").status());
            assertEquals(200, forPeer.get("/-/metrics").status());
            Answers.requireError(404, "not-found", forPeer.get("/missing/x"));
            assertFalse(proxy.output().contains(STARTED), proxy.output());

            first.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            second.send("GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n");
            int meanwhile = 0;
            while (!proxy.output().contains(STARTED)) {
                assertEquals(200, forPeer.get("/app/" + meanwhile).status());
                meanwhile++;
            }

            HttpAnswer welcome = first.answer();
            assertEquals(200, welcome.status());
            assertTrue(welcome.text().contains("LRWP proxy"), welcome.text());
            assertEquals(200, second.answer().status());
            assertEquals(200, first.get("/app/behind").status());
            Answers.requireError(404, "not-found", first.get("/missing"));
            assertEquals(200, first.get("/").status());
            assertTrue(meanwhile > 0, "requests that a program answered meanwhile");
            assertTrue(peer.take().contains("PATH_INFO=/x"));
        }
    }

    @Test
    void aContainerThatCannotStartCostsItsOwnRequestsOnly() throws Exception {
        try (ProxyProcess proxy = start("no-container", "");
                ServingPeer peer = ServingPeer.echo(proxy.lrwpPort(), "app");
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            replaceInstance(proxy.temporary());

            HttpAnswer refused = client.get("/");

            Answers.requireError(503, "no-container", refused);
            assertEquals(200, client.get("/app/x").status());
            Answers.requireError(503, "no-container", client.get("/index.html"));
            Answers.requireError(404, "not-found", client.get("/missing"));
            assertTrue(proxy.output().contains("container-not-started"), proxy.output());
            assertTrue(peer.take().contains("PATH_INFO=/x"));
            assertEquals(143, proxy.terminate());
        }
    }

    /** A file where its folder was: it cannot unpack there. */
    private static void replaceInstance(Path temporary) throws Exception {
        List<Path> inside;
        try (Stream<Path> found = Files.walk(temporary)) {
            inside =
                    found.filter(path -> path.toString().contains("lrwp-proxy-"))
                            .sorted(Comparator.reverseOrder())
                            .toList();
        }
        for (Path path : inside) {
            Files.delete(path);
        }
        Files.createFile(inside.getLast());
    }

    @Test
    void aSignalDuringItsStartEndsTheServer() throws Exception {
        try (ProxyProcess proxy = start("signal", "");
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Wait.require(
                    "the container begins to start",
                    LONGEST,
                    () -> proxy.threadNames().containsKey("lrwp-container-"));

            proxy.askToStop();

            assertEquals(143, proxy.exit(LONGEST));
        }
    }

    @Test
    void itMayStartWithTheProxy() throws Exception {
        try (ProxyProcess proxy = start("with-the-proxy", "", "--container", "start")) {
            String told = proxy.output();

            assertTrue(told.contains(STARTED), told);
            assertTrue(told.indexOf(STARTED) < told.indexOf(" is ready after "), told);
        }
        for (String[] war : List.of(new String[0], new String[] {"--war", war()})) {
            servesByTheServlet(war);
        }
    }

    private static String war() {
        return Project.root().resolve("proxy-server/target/proxy-webapp.war").toString();
    }

    private void servesByTheServlet(String... options) throws Exception {
        try (ProxyProcess proxy = start("servlet", "front = servlet\n", options);
                ServingPeer peer = ServingPeer.echo(proxy.lrwpPort(), "app");
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            String told = proxy.output();

            assertTrue(told.indexOf(STARTED) < told.indexOf(" is ready after "), told);
            assertEquals(200, client.get("/app/x").status());
            assertEquals(200, client.get("/").status());
            assertTrue(peer.take().contains("PATH_INFO=/x"));
        }
    }
}
