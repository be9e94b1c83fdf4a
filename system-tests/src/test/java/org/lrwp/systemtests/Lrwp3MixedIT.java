package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Peers of all versions in one context. */
@SystemTest
@ServerConfig
class Lrwp3MixedIT {
    private static final String FF = ScriptedPeer.FF;

    private static ScriptedPeer second(Scene scene) throws Exception {
        ScriptedPeer peer = scene.dial();
        peer.wire().send(FF + "2.0" + FF + scene.app() + FF + FF);
        assertEquals(3, peer.wire().read(3).length);
        return peer;
    }

    @Test
    void requestsAreSpreadOverPeersOfAllVersions(Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        ScriptedPeer second = second(scene);
        FramePeer third = scene.framePeer("capacity=2");
        scene.awaitPeers(3);
        List<RawHttp> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RawHttp client = scene.get("/x");
            clients.add(client);
        }

        first.request();
        second.request();
        third.request();
        third.request();
        first.text("1");
        second.text("2");
        third.text(1, "3");
        third.text(2, "3");

        var answers = new ArrayList<String>();
        for (RawHttp client : clients) {
            answers.add(client.answer().text());
        }
        assertEquals(List.of("1", "2", "3", "3"), answers.stream().sorted().toList());
    }

    @Test
    void theSameRequestLooksTheSameToAllVersions(Scene scene) throws Exception {
        RawHttp client = scene.client();
        ScriptedPeer first = scene.peer();
        client.post(scene.path("/a%20b?q=1"), new byte[] {1, 0, 2}, "X-Request-Id: the-same-one");
        RequestFrame old = first.request();
        first.text("old");
        assertEquals("old", client.answer().text());
        first.close();
        scene.awaitPeers(0);
        FramePeer third = scene.framePeer();

        client.post(scene.path("/a%20b?q=1"), new byte[] {1, 0, 2}, "X-Request-Id: the-same-one");
        StreamedRequest request = third.request();
        Answers3.requireAnswered(third, request.stream(), "new", client);
        assertEquals(new TreeMap<>(old.env()), new TreeMap<>(request.frame().env()));
        assertEquals(old.text(), request.frame().text());
    }

    @Test
    void busyOldPeerLeavesItsShareToTheNewOne(Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp busy = scene.get("/busy");
        first.request();
        FramePeer third = scene.framePeer("capacity=2");
        scene.awaitPeers(2);

        RawHttp client = scene.client();
        for (int i = 0; i < 5; i++) {
            client.request("GET", scene.path("/x"));
            Answers3.requireServed(third, "/x", "third", client);
        }

        assertEquals(true, third.isSilent(Duration.ofMillis(50)));
        first.text("busy");
        assertEquals("busy", busy.answer().text());
    }

    @Test
    void statusNamesVersionAndCapacity(Scene scene) throws Exception {
        scene.framePeer("capacity=7", "name=the peer");

        String status = scene.proxy().status().page().getJsonArray("peers").toString();

        assertTrue(status.contains("\"version\":\"3.0\""), status);
        assertTrue(status.contains("\"capacity\":7"), status);
    }
}
