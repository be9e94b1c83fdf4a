package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the Go library has beyond those of the other languages: its own tests, and net/http. */
@SystemTest
@ServerConfig
class GoLibraryIT {
    /** The race detector wants the standard library compiled for it. */
    private static final int LONGEST = 300;

    @Test
    @Timeout(LONGEST)
    void itsOwnTestsPass() throws Exception {
        Tools.require("go", "gcc");
        Path folder = Project.root().resolve("peers/go");

        String printed =
                Tools.run(
                        Project.target(),
                        Duration.ofSeconds(LONGEST),
                        "",
                        List.of(
                                "sh",
                                "-c",
                                "cd \"$0\" && exec go test -race -count=1 -timeout 120s ./...",
                                folder.toString()));
        System.out.print(printed);
        assertTrue(printed.lines().anyMatch(line -> line.startsWith("ok ")), printed);
    }

    @Test
    void siteThatKnowsNothingOfLrwpIsServed(Scene scene) throws Exception {
        ExamplePeer peer =
                scene.closing(
                        ExamplePeer.start(
                                PeerLanguage.GO, "http", scene.proxy().lrwpPort(), scene.app()));
        peer.awaitRegistered("3.0");
        scene.awaitPeers(1);
        RawHttp client = scene.client();

        HttpAnswer page = client.get(scene.path("/"));
        assertEquals(Optional.of("text/html; charset=utf-8"), page.value("Content-Type"));
        assertTrue(page.text().contains("It dials in."), page.text());
        String since = "If-Modified-Since: " + page.value("Last-Modified").orElseThrow();
        assertEquals(304, client.get(scene.path("/"), since).status());
        HttpAnswer part = client.get(scene.path("/"), "Range: bytes=0-14");
        assertEquals(206, part.status());
        assertEquals("<!DOCTYPE html>", part.text());
        client.request("HEAD", scene.path("/"));
        HttpAnswer head = client.answerToHead();
        assertEquals(page.value("Content-Length"), head.value("Content-Length"));

        String request = client.get(scene.path("/request?a=b%20c"), "User-Agent: a test").text();
        for (String seen : List.of("\"url\":\"/request?a=b%20c\"", "\"a test\"", "\"127.0.0.1:")) {
            assertTrue(request.contains(seen), request);
        }
        assertEquals(500, client.get(scene.path("/panic")).status());
        peer.awaitLine("a fault of the site");
        assertEquals(404, client.get(scene.path("/nothing")).status());
        scene.requireNext(client);
    }

    @Test
    void uploadIsAnsweredWhileItComes(Scene scene) throws Exception {
        ExamplePeer peer =
                scene.closing(
                        ExamplePeer.start(
                                PeerLanguage.GO, "http", scene.proxy().lrwpPort(), scene.app()));
        peer.awaitRegistered("3.0");
        scene.awaitPeers(1);
        RawHttp client = scene.client();

        client.request("POST", scene.path("/upload"), "Transfer-Encoding: chunked");
        client.send("5\r\nfirst\r\n");
        readUntil(client, "5\n");
        client.send("6\r\nsecond\r\n0\r\n\r\n");
        readUntil(client, "11\n");
        scene.requireNext(scene.client());
    }

    private static void readUntil(RawHttp client, String text) throws Exception {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            int unit = client.wire().read();
            assertTrue(unit >= 0, "the stream ended after " + seen);
            seen.append((char) unit);
        }
    }
}
