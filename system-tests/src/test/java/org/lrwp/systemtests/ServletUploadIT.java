package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.nio.file.Path;
import java.time.Duration;

/** Uploads through the servlet that end before all of them has been read. */
class ServletUploadIT {
    private static final int CHUNKS = 400;

    @TempDir private static Path folder = Path.of("unset");
    private static ProxyProcess proxy;

    @BeforeAll
    static void start() throws Exception {
        proxy =
                ProxyProcess.start(
                        "servlet-upload",
                        Configuration.write(
                                folder.resolve("servlet-upload.properties"), "front = servlet\n"));
    }

    @AfterAll
    static void stop() {
        proxy.close();
    }

    @Test
    void uploadOfAClientThatLeavesReachesItsPeerOnce() throws Exception {
        try (Scene scene = Scene.on(proxy)) {
            FramePeer peer = scene.framePeer("window=100");
            RawHttp client = scene.client();
            String body = ("64\r\n" + "x".repeat(100) + "\r\n").repeat(CHUNKS) + "0\r\n\r\n";
            client.send(
                    client.head("POST", scene.path("/left"), "Transfer-Encoding: chunked") + body);
            StreamedRequest request = peer.request("/left");

            client.close();
            Frame frame = peer.frame();
            while (frame.type() == Frame.DATA) {
                // What the window has let through.
                frame = peer.frame();
            }
            assertEquals(Frame.CANCEL, frame.type(), frame.toString());
            peer.endSlot(request.stream());

            assertTrue(peer.isSilent(Duration.ofMillis(500)));
            RawHttp next = scene.get("/next");
            StreamedRequest following = peer.request("/next");
            assertEquals(request.stream(), following.stream());
            Answers3.requireAnswered(peer, following.stream(), "next", next);
            peer.requireAlive();
        }
    }
}
