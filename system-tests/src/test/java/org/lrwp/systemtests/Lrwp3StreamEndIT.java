package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.IOException;
import java.time.Duration;

/** How a slot becomes free, and when not: docs/protocol.md section 15.4. */
@SystemTest
@ServerConfig
class Lrwp3StreamEndIT {
    /** The ways in which a peer ends its direction. */
    enum Ending {
        /** A whole answer. */
        ANSWER {
            @Override
            void happen(FramePeer peer, int stream) throws IOException {
                peer.text(stream, "too late");
            }
        },
        /** An answer in parts. */
        PARTS {
            @Override
            void happen(FramePeer peer, int stream) throws IOException {
                peer.begin(stream, "Content-Type: text/plain\n\nto");
                peer.data(stream, "o late");
                peer.endData(stream);
            }
        },
        /** A failure. */
        CANCEL {
            @Override
            void happen(FramePeer peer, int stream) throws IOException {
                peer.cancel(stream, "stopped");
            }
        },
        /** It had not been started. */
        REFUSED {
            @Override
            void happen(FramePeer peer, int stream) throws IOException {
                peer.refuse(stream, "not started");
            }
        };

        abstract void happen(FramePeer peer, int stream) throws IOException;
    }

    @Test
    void earlyAnswerFreesTheSlotAndNothingOfTheOldRequestFollows(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("window=100");
        RawHttp early = scene.post("/early", Bytes.random(5_000, 1));
        StreamedRequest first = peer.request("/early");
        assertFalse(first.isWhole());
        peer.window(first.stream(), 50);
        peer.expect(Frame.DATA, first.stream());

        Answers3.requireAnswered(peer, first.stream(), "enough", early);
        peer.expect(Frame.CANCEL, first.stream());
        byte[] body = Bytes.random(200, 2);
        RawHttp client = scene.post("/next", body);
        StreamedRequest next = peer.request("/next");
        assertEquals(first.stream(), next.stream());
        assertEquals(Bytes.text(body), Bytes.text(peer.body(next)));
        Answers3.requireAnswered(peer, next.stream(), "next", client);
        peer.requireAlive();
    }

    @ParameterizedTest
    @EnumSource
    void onlyThePeersEndFreesASlotThatTheProxyHasCancelled(Ending ending, Scene scene)
            throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/late");
        int stream = peer.request("/late").stream();
        Answers.requireError(504, "peer-timeout", client.answer());
        assertTrue(peer.expect(Frame.CANCEL, stream).text().length() > 0);

        Answers.requireError(503, "waited-too-long", client.get(scene.path("/waits")));
        assertTrue(peer.isSilent(Duration.ofMillis(100)));
        String status = scene.proxy().status().toString();
        assertTrue(status.contains("\"stuck\""), status);
        ending.happen(peer, stream);

        client.request("GET", scene.path("/next"));
        assertEquals(stream, peer.request("/next").stream());
        Answers3.requireAnswered(peer, stream, "next", client);
        peer.requireAlive();
    }

    @Test
    void clientThatLeavesIsToldToThePeer(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/leaves");
        int stream = peer.request().stream();
        peer.begin(stream, "Content-Type: text/plain\n\nbegin");
        client.line();

        client.wire().reset();
        Frame frame = null;
        for (int i = 0; i < 1_000 && frame == null; i++) {
            // The container notices when it writes.
            peer.data(stream, "x");
            frame = peer.isSilent(Duration.ofMillis(10)) ? null : peer.frame();
        }

        assertTrue(frame != null && frame.type() == Frame.CANCEL, String.valueOf(frame));
        peer.endData(stream);
        scene.requireNext(scene.client());
        peer.requireAlive();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Frame.RESPONSE,
                Frame.DATA,
                Frame.STARTED,
                Frame.REFUSED,
                Frame.CANCEL,
                Frame.WINDOW
            })
    void frameOnASlotThatThePeerHasEndedIsAnError(int type, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request().stream();
        Answers3.requireAnswered(peer, stream, "answer", client);

        peer.send(frame(type, stream));

        peer.requireError("");
        scene.requireNext(client);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Frame.RESPONSE,
                Frame.DATA,
                Frame.STARTED,
                Frame.REFUSED,
                Frame.CANCEL,
                Frame.WINDOW
            })
    void frameOnASlotThatIsNotOpenIsAnError(int type, Scene scene) throws Exception {
        for (int stream : new int[] {0, 1, 2, 1_000_000, -1}) {
            FramePeer peer = scene.framePeer("capacity=2");

            peer.send(frame(type, stream));

            peer.requireError("");
        }
    }

    private static Frame frame(int type, int stream) {
        return switch (type) {
            case Frame.WINDOW -> Frame.number(type, stream, 1);
            case Frame.RESPONSE -> FramePeer.response(stream, "x");
            default -> Frame.of(type, stream);
        };
    }

    @Test
    void frameOnASlotThatWasCancelledByThePeerIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2");
        RawHttp client = scene.get("/x");
        int stream = peer.request().stream();

        peer.send(Frame.of(Frame.CANCEL, stream, "failed"), Frame.of(Frame.DATA, stream).ending());

        peer.requireError("");
        assertEquals(502, client.answer().status());
    }

    @Test
    void dataBeforeTheResponseIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.post("/x", Bytes.of("body"));
        int stream = peer.request().stream();

        peer.data(stream, "x");

        peer.requireError("RESPONSE");
        Answers.requireError(502, "peer-gone", client.answer());
    }

    @Test
    void secondResponseIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.post("/x", Bytes.of("body"));
        int stream = peer.request().stream();

        peer.send(FramePeer.response(stream, "one"), FramePeer.response(stream, "two").ending());

        peer.requireError("RESPONSE");
        // The first one may have begun, or not.
        try {
            HttpAnswer answer = client.answer();
            assertEquals(502, answer.status(), answer.toString());
        } catch (IOException e) {
            // It was cut.
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Frame.REQUEST, Frame.REGISTERED})
    void typeThatOnlyTheProxySendsIsAnError(int type, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        peer.send(Frame.of(type, type == Frame.REQUEST ? 1 : 0));

        peer.requireError("");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5, 8})
    void windowThatIsNotFourBytesIsAnError(int length, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        scene.get("/x");
        int stream = peer.request().stream();

        peer.send(Frame.of(Frame.WINDOW, stream, new byte[length]));

        peer.requireError("WINDOW");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 7, 9})
    void pingThatIsNotEightBytesIsAnError(int length, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        peer.send(Frame.of(Frame.PING, 0, new byte[length]));

        peer.requireError("PING");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5})
    void capacityThatIsNotFourBytesIsAnError(int length, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        peer.send(Frame.of(Frame.CAPACITY, 0, new byte[length]));

        peer.requireError("CAPACITY");
    }

    @ParameterizedTest
    @ValueSource(ints = {Frame.DATA, 99})
    void frameAboveTheLongestIsAnErrorBeforeItsPayload(int type, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        peer.wire().send(new byte[] {0, 1, 0, 1, (byte) type, 0, 0, 0, 0, 0, 0, 1});

        peer.requireError("65536");
    }

    @Test
    void longestFrameIsTaken(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request().stream();
        String head = "Content-Type: text/plain\r\n\r\n";

        peer.text(stream, "x".repeat(65_536 - head.length()));

        assertEquals(65_536 - head.length(), client.answer().body().length);
        peer.requireAlive();
    }

    @Test
    void errorOfOneStreamTreatsTheOthersByTheirMethod(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=3", "started=1");
        RawHttp get = scene.get("/get");
        peer.request("/get");
        RawHttp post = scene.post("/post", Bytes.of("body"));
        peer.request("/post");

        peer.data(77, "x");

        peer.requireError("");
        Answers.requireError(502, "peer-gone", post.answer());
        FramePeer other = scene.dialFrames().open(scene.app());
        Answers3.requireServed(other, "/get", "elsewhere", get);
    }

    @Test
    void peerThatAsksWithoutReadingIsDropped(Scene scene) throws Exception {
        FramePeer peer = scene.closing(FramePeer.dialSmall(scene.proxy().lrwpPort()));
        peer.open(scene.app());
        byte[] many = new byte[20 * 10_000];
        for (int i = 0; i < 10_000; i++) {
            System.arraycopy(Frame.of(Frame.PING, 0, "12345678").bytes(), 0, many, 20 * i, 20);
        }

        try {
            for (int i = 0; i < 200; i++) {
                peer.wire().send(many);
            }
        } catch (IOException e) {
            // It is closed already.
        }

        scene.awaitPeers(0);
    }
}
