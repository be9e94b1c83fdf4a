package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.time.Duration;

/** More contexts on one connection, and fewer: docs/protocol.md section 15.11. */
@SystemTest
@ServerConfig
class Lrwp3RegisterIT {
    private static final String FF = ScriptedPeer.FF;

    @Test
    void contextsComeAndGoOnOneConnection(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        String more = scene.app() + "-more";
        RawHttp client = scene.client();
        Answers.requireError(404, "not-found", client.get("/" + more + "/x"));

        assertEquals("", peer.register(more, ""));
        client.request("GET", "/" + more + "/x");
        Answers3.requireServed(peer, "/x", "more", client);
        client.request("GET", scene.path("/y"));
        Answers3.requireServed(peer, "/y", "first", client);
        assertEquals("", peer.unregister("/" + more, ""));

        // Known for the grace time, as after the leave of a last peer.
        assertEquals(503, client.get("/" + more + "/x").status());
        client.request("GET", scene.path("/z"));
        Answers3.requireServed(peer, "/z", "still", client);
    }

    @Test
    void requestsOfAContextThatWasGivenUpWaitForTheNextPeer(Scene scene) throws Exception {
        FramePeer first = scene.framePeer();
        assertEquals("", first.unregister(scene.app(), ""));
        RawHttp client = scene.get("/waits");
        scene.awaitWaiting(1);

        FramePeer second = scene.dialFrames().open(scene.app());

        Answers3.requireServed(second, "/waits", "second", client);
        first.requireAlive();
    }

    @Test
    void requestInHandIsAnsweredAfterItsContextWasGivenUp(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        assertEquals("", peer.unregister(scene.app(), ""));
        Answers3.requireAnswered(peer, stream, "done", client);
    }

    @Test
    void waitingRequestsGoToAPeerThatRegistersTheirContext(Scene scene) throws Exception {
        ScriptedPeer busy = scene.peer();
        RawHttp first = scene.get("/first");
        busy.request();
        RawHttp waits = scene.get("/waits");
        scene.awaitWaiting(1);
        FramePeer peer = scene.dialFrames().open("");

        peer.send(Frame.of(Frame.REGISTER, 0, scene.app() + FF + FF));

        Frame one = peer.frame();
        Frame two = peer.frame();
        assertTrue(one.type() == Frame.REGISTERED || two.type() == Frame.REGISTERED);
        Frame request = one.type() == Frame.REQUEST ? one : two;
        assertEquals(Frame.REQUEST, request.type());
        Answers3.requireAnswered(peer, request.stream(), "waited", waits);
        busy.text("first");
        assertEquals("first", first.answer().text());
    }

    @Test
    void whatIsDoneAlreadyIsDone(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        assertEquals("", peer.register(scene.app(), ""));
        assertEquals("", peer.register("/" + scene.app(), ""));
        assertEquals("", peer.unregister("never-was", ""));
        scene.awaitPeers(1);
        assertEquals("", peer.unregister("/" + scene.app(), ""));

        scene.awaitPeers(0);
        peer.requireAlive();
    }

    @Test
    void namesComeBackAsTheyWereSent(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        String app = "/" + scene.app() + "//more/";

        // The reader compares the names byte by byte.
        assertEquals("", peer.register(app, "A.Test"));
        assertEquals("", peer.unregister(app, "A.Test"));
    }

    @Test
    void everyAskingIsAnsweredInOrder(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        String names = scene.app() + "-x" + FF + FF;

        peer.send(
                Frame.of(Frame.REGISTER, 0, names),
                Frame.of(Frame.REGISTER, 0, FF + FF),
                Frame.of(Frame.UNREGISTER, 0, names));

        assertEquals(names + FF, peer.expect(Frame.REGISTERED, 0).text());
        String refused = peer.expect(Frame.REGISTERED, 0).text();
        assertTrue(refused.startsWith(FF + FF) && refused.length() > 3, refused);
        assertEquals(names + FF, peer.expect(Frame.REGISTERED, 0).text());
    }

    @Test
    void emptyAndLongNamesAreAnsweredWithAText(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        assertFalse(peer.register("", "").isEmpty());
        assertFalse(peer.register("a".repeat(201), "").isEmpty());
        assertFalse(peer.register("a", "h".repeat(201)).isEmpty());
        assertFalse(peer.register("a".repeat(20_000), "").isEmpty());
        assertEquals("ERROR: Application not permitted", peer.register("/-/x", ""));

        assertEquals("", peer.register("/" + "a".repeat(200), ""));
        assertEquals("", peer.unregister("/" + "a".repeat(200), ""));
        peer.requireAlive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "osp", "osp|", "osp||x", "osp|||"})
    void namesWithoutTheirTwoDelimitersAreAnError(String names, Scene scene) throws Exception {
        for (int type : new int[] {Frame.REGISTER, Frame.UNREGISTER}) {
            FramePeer peer = scene.framePeer();

            peer.send(Frame.of(type, 0, names.replace("|", FF)));

            peer.requireError("");
        }
    }

    @Test
    void hostOfAContextIsOfThatContextOnly(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        String app = scene.app() + "-host";
        assertEquals("", peer.register(app, "a.test"));
        RawHttp client = scene.client();

        client.send("GET /" + app + "/x HTTP/1.1\r\nHost: a.test\r\n\r\n");
        Answers3.requireServed(peer, "/x", "host", client);
        Answers.requireError(404, "not-found", client.get("/" + app + "/x"));
        assertTrue(peer.isSilent(Duration.ofMillis(100)));
    }

    @Test
    void lossOfAConnectionTakesAllItsContextsAlong(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        String more = scene.app() + "-more";
        assertEquals("", peer.register(more, ""));
        scene.awaitPeersOf("/" + more, 1);

        peer.finish();

        scene.awaitPeersOf("/" + more, 0);
        scene.awaitPeers(0);
    }
}
