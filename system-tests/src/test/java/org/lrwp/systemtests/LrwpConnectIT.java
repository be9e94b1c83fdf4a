package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.ConnectProcess;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.PhpFpm;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.systemtests.harness.WebSocket;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Future;

/** Programs that know nothing of LRWP, by {@code lrwp-connect}. */
@SystemTest
@ServerConfig
class LrwpConnectIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String CLIENT = "127.0.0.1";

    @TempDir Path folder;

    private static String peer(String name) {
        return Project.peers().resolve(name).toString();
    }

    private static ConnectProcess connect(Scene scene, String... arguments) throws Exception {
        return scene.closing(ConnectProcess.start(scene.proxy(), List.of(arguments)));
    }

    /** Python's HTTP server, which answers on this port. */
    private static ProcessPeer server(Scene scene, int port) throws Exception {
        Tools.require("python3");
        ProcessPeer server =
                scene.closing(
                        ProcessPeer.start(
                                List.of(
                                        "python3",
                                        peer("http_server.py"),
                                        Integer.toString(port))));
        Wait.require("the server listens", SOON, () -> listens(port));
        return server;
    }

    private static boolean listens(int port) {
        try (RawHttp client = RawHttp.to(port)) {
            return client != null;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void anHttpServerIsServedAsItIs(Scene scene) throws Exception {
        int port = FreePorts.one();
        server(scene, port);
        connect(scene, "http", "http://127.0.0.1:" + port, scene.path("")).awaitRegistered();

        HttpAnswer answer = scene.client().get(scene.path("/a%20b?q=1"));
        assertEquals(200, answer.status());
        assertTrue(answer.text().endsWith(scene.path("/a%20b?q=1") + " " + CLIENT), answer::text);

        byte[] body = Bytes.random(3_000_000, 1);
        HttpAnswer echo = scene.post("/upload", body).answer();
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        assertEquals("POST " + scene.path("/upload") + " " + hash, echo.text());

        RawHttp events = scene.get("/events");
        assertEquals("HTTP/1.1 200 OK", events.line());
        byte[] event = new byte[9];
        events.unchunked().readNBytes(event, 0, event.length);
        assertEquals("data: one", new String(event, StandardCharsets.US_ASCII));
        assertEquals(200, scene.client().get(scene.path("/more")).status());

        WebSocket socket = WebSocket.open(scene.client(), scene.path("/socket"));
        socket.text("hello");
        assertEquals("hello", socket.text());
    }

    @Test
    void aServerThatDiesIs502UntilItIsBack(Scene scene) throws Exception {
        int port = FreePorts.one();
        ProcessPeer first = server(scene, port);
        ConnectProcess connect =
                connect(scene, "http", "http://127.0.0.1:" + port, scene.path(""), "--strip");
        connect.awaitRegistered();
        HttpAnswer moved = scene.client().get(scene.path("/moved"));
        assertEquals(scene.path("/elsewhere"), moved.value("Location").orElseThrow());

        first.kill();
        HttpAnswer lost = scene.client().get(scene.path("/"));
        assertEquals(502, lost.status());
        connect.awaitLine("outcome=502 reason=refused");
        assertEquals(502, scene.post("/", new byte[5]).answer().status());

        server(scene, port);
        assertEquals(200, scene.client().get(scene.path("/")).status());
    }

    @Test
    void programsOf1998AreServedUnchanged(Scene scene) throws Exception {
        Tools.require("perl");
        ConnectProcess connect = connect(scene, "cgi", peer("cgi"), scene.path(""));
        connect.awaitRegistered();

        HttpAnswer guest =
                scene.post(
                                "/guest.pl/book",
                                Bytes.of("name=J%FCrgen+X&x=y"),
                                "Content-Type: application/x-www-form-urlencoded")
                        .answer();
        assertEquals(200, guest.status());
        assertTrue(
                guest.text().contains("Thank you, J\u00fcrgen X! Path: /book, from " + CLIENT),
                guest::text);
        HttpAnswer date = scene.client().get(scene.path("/date.sh?a=b"));
        assertTrue(date.text().matches("it is 20\\d\\d, query a=b\n"), date::text);
        assertEquals(404, scene.client().get(scene.path("/none.pl")).status());
    }

    @Test
    void aPageOfPhpIsServed(Scene scene) throws Exception {
        Files.writeString(
                folder.resolve("index.php"),
                "<?php echo $_SERVER['SCRIPT_NAME'], $_SERVER['PATH_INFO'] ?? '', ' ',"
                        + " $_GET['q'] ?? '', ' ', strlen(file_get_contents('php://input')),"
                        + " ' ', $_SERVER['REMOTE_ADDR']; error_log('a notice of PHP');");
        Files.writeString(folder.resolve("style.css"), "body {}");
        ConnectProcess connect =
                connect(
                        scene,
                        "fastcgi",
                        PhpFpm.start(scene, folder),
                        scene.path(""),
                        "--root",
                        folder.toString(),
                        "--static",
                        "--front",
                        "index.php");
        connect.awaitRegistered();

        String script = scene.path("/index.php");
        assertEquals(
                script + "/x 1 0 " + CLIENT,
                scene.client().get(scene.path("/index.php/x?q=1")).text());
        assertEquals(script + "  0 " + CLIENT, scene.client().get(scene.path("/any")).text());
        assertEquals(
                script + "  300000 " + CLIENT, scene.post("/", new byte[300_000]).answer().text());
        assertEquals("body {}", scene.client().get(scene.path("/style.css")).text());
        connect.awaitLine("a notice of PHP");
        List<Future<String>> many = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            many.add(scene.meanwhile(() -> scene.client().get(scene.path("/index.php")).text()));
        }
        for (Future<String> one : many) {
            assertEquals(script + "  0 " + CLIENT, one.get());
        }
    }
}
