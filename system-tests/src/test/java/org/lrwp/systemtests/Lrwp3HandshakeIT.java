package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** How LRWP 3 peers come in, and what is said to those that do not: docs/protocol.md section 12. */
@SystemTest
@ServerConfig
class Lrwp3HandshakeIT {
    private static final String FF = ScriptedPeer.FF;

    @ParameterizedTest
    @ValueSource(strings = {"3.0", "3.1", "3.7"})
    void peerOfAnyThirdVersionIsLetInWithoutAnIdentity(String version, Scene scene)
            throws Exception {
        FramePeer peer = scene.dialFrames();
        String identity = FF + FF + "0a".repeat(32) + FF;

        peer.wire()
                .send(
                        FF
                                + version
                                + FF
                                + scene.app()
                                + FF
                                + FF
                                + (version.equals("3.0") ? "" : identity));

        peer.admitted().settings();
        RawHttp client = scene.client();
        peer.requireAlive();
        client.request("GET", scene.path("/x"));
        Answers3.requireServed(peer, "/x", "served", client);
        scene.requireNext(client);
    }

    @Test
    void startupStringMayComeByteByByte(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames();

        peer.wire().sendSingly(Bytes.of(FF + "3.0" + FF + "/" + scene.app() + FF + FF));

        peer.admitted().settings();
        scene.awaitPeers(1);
    }

    @Test
    void proxySaysAllItsSettingsBeforeThePeerSaysAny(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello(scene.app(), "");
        peer.accepted();

        String settings = peer.greeted();

        List<String> names =
                Arrays.stream(settings.split("\0", -1))
                        .filter(setting -> !setting.isEmpty())
                        .map(setting -> setting.substring(0, setting.indexOf('=')))
                        .sorted()
                        .toList();
        assertEquals(List.of("connections", "max-frame", "name", "ping", "window"), names);
        assertTrue(settings.endsWith("\0"), settings);
        assertEquals("65536", peer.proxySetting("max-frame"));
        assertEquals("65536", peer.proxySetting("window"));
        assertFalse(peer.proxySetting("name").isEmpty());
        assertTrue(Integer.parseInt(peer.proxySetting("connections")) >= 1);
        assertTrue(Integer.parseInt(peer.proxySetting("ping")) >= 0);
    }

    @Test
    void noRequestComesBeforeThePeersSettings(Scene scene) throws Exception {
        ScriptedPeer busy = scene.peer();
        RawHttp first = scene.get("/first");
        busy.request();
        RawHttp second = scene.get("/second");
        scene.awaitWaiting(1);
        FramePeer peer = scene.dialFrames().hello(scene.app(), "").admitted();

        assertTrue(peer.isSilent(Duration.ofMillis(300)));
        peer.settings();
        Answers3.requireServed(peer, "/second", "second", second);
        busy.text("first");
        assertEquals("first", first.answer().text());
    }

    @ParameterizedTest
    @CsvSource({
        "3.0|osp, ERROR: Malformed startup string",
        "3.0|, ERROR: Malformed startup string",
        "3.0||, ERROR: Malformed startup string",
    })
    void startupStringWithoutItsEndIsRefusedInAFrame(String begin, String text, Scene scene)
            throws Exception {
        FramePeer late = scene.dialFrames();
        FramePeer ended = scene.dialFrames();
        late.wire().send(FF + begin.replace("|", FF));
        ended.wire().send(FF + begin.replace("|", FF));
        ended.wire().halfClose();

        ended.requireRejected(text);
        late.requireRejected(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/"})
    void longNameIsRefusedInAFrame(String slash, Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello(slash + "a".repeat(201), "");

        peer.requireRejected("ERROR: Registration component too long");
    }

    @Test
    void contextOfTheProxyItselfIsRefusedInAFrame(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello("/-/x", "");

        peer.requireRejected("ERROR: Application not permitted");
    }

    @Test
    void laterVersionGetsTheTextThatOldPeersKnow(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames();

        peer.wire().send(FF + "4.0" + FF + scene.app() + FF + FF);

        assertEquals("ERROR: Unknown LRWP version", Bytes.text(peer.wire().readAll()));
    }

    @Test
    void peerWithoutSettingsIsToldAndDropped(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello(scene.app(), "").admitted();
        long begin = System.nanoTime();

        peer.requireError("");

        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertTrue(took.toMillis() >= 1_800, took + " is too early");
        assertTrue(took.toMillis() < 5_000, took + " is too late");
    }

    @Test
    void firstFrameMustBeSettings(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello(scene.app(), "").admitted();

        peer.ping("12345678");

        peer.requireError("SETTINGS");
    }

    @ParameterizedTest
    @CsvSource({
        "capacity=many, capacity",
        "capacity=, capacity",
        "capacity=4294967296, capacity",
        "max-frame=65535, max-frame",
        "window=-1, window",
        "window=4294967296, window",
        "started=2, started",
        "stream=yes, stream",
        "ping=, ping",
    })
    void badValueOfAKnownSettingIsAnErrorThatNamesIt(String setting, String name, Scene scene)
            throws Exception {
        FramePeer peer = scene.dialFrames().hello(scene.app(), "").admitted();

        peer.settings("name=x", setting);

        peer.requireError(name);
    }

    @Test
    void unknownSettingsAreSkipped(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("colour=blue", "capacity=1", "Window=x", "x=");
        RawHttp client = scene.get("/x");
        Answers3.requireServed(peer, "/x", "served", client);
        scene.requireNext(client);
    }

    @Test
    void secondSettingsAreAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        peer.settings();

        peer.requireError("SETTINGS");
    }

    @Test
    void peerWithoutContextGetsThemByFrames(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().open("");
        RawHttp client = scene.client();
        Answers.requireError(404, "not-found", client.get(scene.path("/x")));

        assertEquals("", peer.register(scene.app(), ""));

        client.request("GET", scene.path("/x"));
        Answers3.requireServed(peer, "/x", "served", client);
        scene.requireNext(client);
    }

    @Test
    void unknownTypesAreSkippedOnAnyStreamAndFlagsAreNotLookedAt(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.send(
                new Frame(0, 0xFF, 0, Bytes.of("zero")),
                new Frame(17, 1, stream, Bytes.of("seventeen")),
                new Frame(255, 0, 4711, new byte[0]),
                new Frame(Frame.RESPONSE, 0xFE, stream, ScriptedPeer.plain("a")),
                new Frame(99, 1, stream, new byte[65_536]),
                new Frame(Frame.DATA, 0xFF, stream, Bytes.of("b")));

        assertEquals("ab", client.answer().text());
        peer.requireAlive();
        scene.requireNext(client);
    }
}
