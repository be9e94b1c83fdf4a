package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** What comes in which frames, and in which order: docs/protocol.md section 15.2. */
@SystemTest
@ServerConfig
class Lrwp3OrderIT {
    private static final int LONGEST_DATA = 16_384;
    private static final String UNLIMITED = "window=4294967295";

    @Test
    void requestThatFitsComesAsOneFrameWithItsEnd(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        byte[] body = Bytes.random(30_000, 1);
        RawHttp client = scene.post("/x?a=b", body);
        StreamedRequest request = peer.request();
        peer.text(request.stream(), "seen");

        assertTrue(request.isWhole());
        assertArrayEquals(body, request.frame().body());
        assertEquals("30000", request.env("CONTENT_LENGTH"));
        assertEquals("POST", request.env("REQUEST_METHOD"));
        assertEquals("a=b", request.env("QUERY_STRING"));
        assertEquals("seen", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void requestIsNeverLongerThanTheFrameOfItsPeer(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer(UNLIMITED);
        byte[] body = Bytes.random(65_536, 2);
        RawHttp client = scene.post("/x", body);
        // The reader refuses frames above 65,536 bytes.
        StreamedRequest request = peer.request();

        assertArrayEquals(body, peer.body(request));
        Answers3.requireAnswered(peer, request.stream(), "seen", client);
    }

    @Test
    void longBodyComesInShortFramesAndWhole(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer(UNLIMITED);
        byte[] body = Bytes.random(1_000_000, 3);
        RawHttp client = scene.post("/x", body);

        StreamedRequest request = peer.request();
        var read = new ByteArrayOutputStream();
        read.writeBytes(request.frame().body());
        boolean end = request.isWhole();
        while (!end) {
            Frame data = peer.expect(Frame.DATA, request.stream());
            assertTrue(data.payload().length <= LONGEST_DATA, data.toString());
            read.writeBytes(data.payload());
            end = data.isEnd();
        }

        assertArrayEquals(body, read.toByteArray());
        Answers3.requireAnswered(peer, request.stream(), "seen", client);
        scene.requireNext(client);
    }

    @Test
    void streamsTakeTurns(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2", "window=0");
        // In memory as a whole: which of two files is read first is up to the disk.
        byte[] body = Bytes.random(60_000, 4);
        RawHttp one = scene.post("/1", body);
        peer.request("/1");
        RawHttp two = scene.post("/2", body);
        peer.request("/2");

        peer.send(Frame.number(Frame.WINDOW, 1, 60_000), Frame.number(Frame.WINDOW, 2, 60_000));

        List<Integer> order = new ArrayList<>();
        int ended = 0;
        while (ended < 2) {
            Frame data = peer.frame();
            assertEquals(Frame.DATA, data.type());
            order.add(data.stream());
            ended += data.isEnd() ? 1 : 0;
        }
        int half = order.size() / 2;
        long ofOne = order.subList(0, half).stream().filter(stream -> stream == 1).count();
        assertTrue(ofOne > half / 3 && ofOne < half - half / 3, "no turns: " + order);
        peer.send(FramePeer.response(1, "1").ending(), FramePeer.response(2, "2").ending());
        assertEquals("1", one.answer().text());
        assertEquals("2", two.answer().text());
    }

    @Test
    void answersComeInAnyOrderAndFrameByFrame(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=3");
        List<RawHttp> clients = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            RawHttp client = scene.get("/" + i);
            assertEquals(i, peer.request("/" + i).stream());
            clients.add(client);
        }

        peer.send(
                FramePeer.response(3, "three"),
                FramePeer.response(1, "one"),
                Frame.of(Frame.DATA, 3, " and"),
                FramePeer.response(2, "two").ending(),
                Frame.of(Frame.DATA, 1, " more").ending(),
                Frame.of(Frame.DATA, 3, " more").ending());

        assertEquals("one more", clients.get(0).answer().text());
        assertEquals("two", clients.get(1).answer().text());
        assertEquals("three and more", clients.get(2).answer().text());
        peer.requireAlive();
    }

    @Test
    void framesMayBeCutAnywhere(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request().stream();
        byte[] bytes =
                Bytes.join(
                        FramePeer.response(stream, "ab").bytes(),
                        new Frame(42, 0, 0, new byte[3]).bytes(),
                        Frame.of(Frame.DATA, stream, "cd").ending().bytes());

        peer.wire().sendSingly(bytes);

        assertEquals("abcd", client.answer().text());
        peer.requireAlive();
    }

    @Test
    void manyRequestsAtOnceAreAnsweredEachByItsOwn(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().open("patient", "capacity=50");
        peer.requireAlive();
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String path = "/" + i;
            answers.add(
                    scene.meanwhile(
                            () -> {
                                try (RawHttp client = RawHttp.to(scene.proxy().httpPort())) {
                                    return client.get("/patient" + scene.path(path)).text();
                                }
                            }));
        }
        for (int i = 0; i < 200; i++) {
            StreamedRequest request = peer.request();
            peer.text(request.stream(), request.path());
        }

        for (int i = 0; i < 200; i++) {
            assertEquals(scene.path("/" + i), answers.get(i).get());
        }
        peer.requireAlive();
    }
}
