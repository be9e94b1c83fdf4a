package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.systemtests.harness.WebSocket.BINARY;
import static org.lrwp.systemtests.harness.WebSocket.CLOSE;
import static org.lrwp.systemtests.harness.WebSocket.CONTINUATION;
import static org.lrwp.systemtests.harness.WebSocket.FIN;
import static org.lrwp.systemtests.harness.WebSocket.PING;
import static org.lrwp.systemtests.harness.WebSocket.PONG;
import static org.lrwp.systemtests.harness.WebSocket.TEXT;
import static org.lrwp.systemtests.harness.WebSocket.masked;
import static org.lrwp.systemtests.harness.WebSocket.unmasked;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.systemtests.harness.WebSocket;
import org.lrwp.systemtests.harness.WebSocketExample;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Clients that speak WebSocket (RFC 6455) with the examples of each language. */
@SystemTest
@ServerConfig
class WebSocketIT {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int LARGE = 16 << 20;
    private static final byte[] NOTHING = {};

    private static WebSocket open(Scene scene) throws Exception {
        return WebSocket.open(scene.client(), scene.path(""));
    }

    // ---- Section 5: frames.

    @ParameterizedTest
    @EnumSource
    void messagesComeBackHoweverTheyAreFramed(WebSocketExample example, Scene scene)
            throws Exception {
        example.start(scene, scene.app());
        WebSocket socket = open(scene);

        for (String text : List.of("hello", "", "\u03ba\u1f79\u03c3\u03bc\u03b5 \ud83d\ude00")) {
            socket.text(text);
            assertEquals(text, socket.text());
        }
        for (int size : List.of(0, 125, 126, 65_535, 65_536, 300_000)) {
            byte[] bytes = Bytes.random(size, size);
            socket.send(masked(FIN | BINARY, bytes));
            requireSame(bytes, socket.expect(BINARY));
        }
        controlFramesStandBetweenFragments(socket);
        framesMayComeByteByByte(socket);
        manyFramesMayComeAtOnce(socket);

        RawHttp plain = scene.client();
        assertEquals(426, plain.get(scene.path("")).status());
    }

    /** Section 5.4. */
    private static void controlFramesStandBetweenFragments(WebSocket socket) throws Exception {
        socket.send(
                masked(TEXT, Bytes.of("one ")),
                masked(FIN | PING, Bytes.of("still there?")),
                masked(CONTINUATION, NOTHING));
        assertEquals("still there?", Bytes.text(socket.expect(PONG)));
        socket.send(
                masked(FIN | PONG, Bytes.of("nobody asked")),
                masked(CONTINUATION, Bytes.of("two ")),
                masked(FIN | PING, NOTHING),
                masked(FIN | CONTINUATION, Bytes.of("three")));
        assertEquals("", Bytes.text(socket.expect(PONG)));
        assertEquals("one two three", socket.text());
    }

    private static void framesMayComeByteByByte(WebSocket socket) throws Exception {
        for (byte one : masked(FIN | TEXT, Bytes.of("slowly"))) {
            socket.send(new byte[] {one});
        }
        assertEquals("slowly", socket.text());
    }

    private static void manyFramesMayComeAtOnce(WebSocket socket) throws Exception {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            frames.add(masked(FIN | TEXT, Bytes.of("message " + i)));
        }
        socket.send(frames.toArray(byte[][]::new));
        for (int i = 0; i < 500; i++) {
            assertEquals("message " + i, socket.text());
        }
    }

    private static void requireSame(byte[] sent, byte[] came) {
        assertEquals(-1, Arrays.mismatch(sent, came), "where " + sent.length + " bytes differ");
    }

    @ParameterizedTest
    @EnumSource
    void largeMessagesComeBackWhole(WebSocketExample example, Scene scene) throws Exception {
        example.start(scene, scene.app());
        WebSocket socket = open(scene);
        byte[] bytes = Bytes.random(LARGE, 7);

        socket.send(masked(FIN | BINARY, bytes));
        requireSame(bytes, socket.expect(BINARY));

        int part = 10_000;
        socket.send(masked(BINARY, Arrays.copyOf(bytes, part)));
        for (int at = part; at < 1_000_000; at += part) {
            boolean last = at + part == 1_000_000;
            byte[] payload = Arrays.copyOfRange(bytes, at, at + part);
            socket.send(masked(last ? FIN | CONTINUATION : CONTINUATION, payload));
        }
        requireSame(Arrays.copyOf(bytes, 1_000_000), socket.expect(BINARY));
    }

    // ---- Sections 5.1, 5.2, 5.5, 7 and 8.1: faults, and the end.

    @ParameterizedTest
    @EnumSource
    void eachEndHasItsCode(WebSocketExample example, Scene scene) throws Exception {
        ExamplePeer peer = example.start(scene, scene.app());

        requireClosed(scene, 1000, masked(FIN | CLOSE, new byte[] {3, (byte) 0xe8, 'b', 'y', 'e'}));
        requireClosed(scene, 1005, masked(FIN | CLOSE, NOTHING));
        requireClosed(scene, 3999, masked(FIN | CLOSE, new byte[] {0x0f, (byte) 0x9f}));
        for (int forbidden : List.of(0, 999, 1005, 1006, 1015)) {
            byte[] code = {(byte) (forbidden >> 8), (byte) forbidden};
            requireClosed(scene, 1002, masked(FIN | CLOSE, code));
        }
        requireClosed(scene, 1007, masked(FIN | TEXT, new byte[] {(byte) 0xc3, 0x28}));
        requireClosed(
                scene,
                1007,
                masked(TEXT, new byte[] {'a', (byte) 0xed}),
                masked(FIN | CONTINUATION, new byte[] {(byte) 0xa0, (byte) 0x80}));
        peer.close();
    }

    private static void requireClosed(Scene scene, int code, byte[]... frames) throws Exception {
        try (WebSocket socket = open(scene)) {
            socket.text("first");
            assertEquals("first", socket.text());
            socket.send(frames);
            assertEquals(code, socket.closeCode());
            assertEquals(End.FIN, socket.wire().end(SOON), "behind " + code);
        }
    }

    /** A library need not say why, but no byte of a message comes back. */
    @ParameterizedTest
    @EnumSource
    void wrongFramesEndTheConnection(WebSocketExample example, Scene scene) throws Exception {
        example.start(scene, scene.app());
        byte[] text = Bytes.of("wrong");

        requireFault(scene, unmasked(FIN | TEXT, text));
        requireFault(scene, masked(FIN | 0x40 | TEXT, text));
        requireFault(scene, masked(FIN | 3, text));
        requireFault(scene, masked(FIN | 11, text));
        requireFault(scene, masked(PING, text));
        requireFault(scene, masked(FIN | PING, new byte[126]));
        requireFault(scene, masked(FIN | CONTINUATION, text));
        requireFault(scene, masked(TEXT, text), masked(FIN | TEXT, text));
    }

    private static void requireFault(Scene scene, byte[]... frames) throws Exception {
        try (WebSocket socket = open(scene)) {
            socket.send(frames);
            End end = socket.wire().end(SOON);
            assertNotEquals(End.OPEN, end);
            if (end == End.BYTES) {
                byte[] rest = socket.wire().readAll();
                // Its first byte has been read.
                int code = ((rest[1] & 0xFF) << 8) | (rest[2] & 0xFF);
                assertEquals(1002, code);
            }
        }
    }

    // ---- The proxy's part.

    @ParameterizedTest
    @EnumSource
    void manyClientsAreNotMixedUp(WebSocketExample example, Scene scene) throws Exception {
        example.start(scene, scene.app());
        List<WebSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sockets.add(open(scene));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < sockets.size(); i++) {
                sockets.get(i).text("client " + i + " in round " + round);
            }
            for (int i = 0; i < sockets.size(); i++) {
                assertEquals("client " + i + " in round " + round, sockets.get(i).text());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatComeWithTheRequestAreTheFirstOfTheTunnel(WebSocketExample example, Scene scene)
            throws Exception {
        example.start(scene, scene.app());
        RawHttp client = scene.client();

        client.wire()
                .send(
                        Bytes.join(
                                Bytes.of(WebSocket.request(client, scene.path(""))),
                                masked(FIN | TEXT, Bytes.of("early")),
                                masked(FIN | TEXT, Bytes.of("too"))));

        String head = "";
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            head += line + "\n";
        }
        assertTrue(head.startsWith("HTTP/1.1 101 "), head);
        byte[] both = Bytes.join(unmasked(FIN | TEXT, Bytes.of("early")));
        assertArrayEquals(both, client.wire().read(both.length));
        assertArrayEquals(unmasked(FIN | TEXT, Bytes.of("too")), client.wire().read(5));
    }

    @ParameterizedTest
    @EnumSource
    void killOfThePeerCutsItsClientsAndNoOthers(WebSocketExample example, Scene scene)
            throws Exception {
        ExamplePeer peer = example.start(scene, scene.app());
        example.start(scene, scene.app() + "-other");
        WebSocket cut = open(scene);
        WebSocket other = WebSocket.open(scene.client(), "/" + scene.app() + "-other");

        peer.close();

        assertEquals(End.RESET, cut.wire().end(SOON));
        other.text("still here");
        assertEquals("still here", other.text());
    }

    @ParameterizedTest
    @EnumSource
    void clientThatIsLostFreesItsSlot(WebSocketExample example, Scene scene) throws Exception {
        example.start(scene, scene.app());
        WebSocket socket = open(scene);
        socket.text("here");
        assertEquals("here", socket.text());
        assertEquals(1, busy(scene));

        socket.wire().reset();

        Wait.require("the slot is free", SOON, () -> busy(scene) == 0);
    }

    private static int busy(Scene scene) throws Exception {
        return scene.proxy().status().number(scene.path(""), "busy");
    }

    /** The library for C leaves the protocol to its program: what is sent comes back. */
    @Test
    void anyProtocolGoesThroughTheLibraryForC(Scene scene) throws Exception {
        PeerLanguage language = PeerLanguage.C;
        ExamplePeer peer =
                scene.closing(
                        ExamplePeer.start(
                                language, "upgrade", scene.proxy().lrwpPort(), scene.app()));
        peer.awaitRegistered("3.0");
        scene.awaitPeers(1);
        RawHttp client = scene.client();

        client.request("GET", scene.path(""), "Connection: Upgrade", "Upgrade: echo");
        assertTrue(client.line().startsWith("HTTP/1.1 101 "));
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            assertTrue(line.indexOf(':') > 0, line);
        }
        byte[] bytes = Bytes.random(1_000_000, 3);
        var sent = scene.meanwhile(() -> sendAndEnd(client, bytes));
        requireSame(bytes, client.wire().readAll());
        assertTrue(sent.get());
    }

    private static boolean sendAndEnd(RawHttp client, byte[] bytes) throws Exception {
        client.wire().send(bytes);
        client.wire().halfClose();
        return true;
    }
}
