package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** How many requests a connection gets, on which slots: docs/protocol.md section 15.1. */
@SystemTest
@ServerConfig
class Lrwp3CapacityIT {
    private static final Duration WHILE = Duration.ofMillis(300);

    private static Map<String, RawHttp> requests(Scene scene, int count) throws Exception {
        Map<String, RawHttp> clients = new HashMap<>();
        for (int i = 1; i <= count; i++) {
            clients.put("/" + i, scene.get("/" + i));
        }
        return clients;
    }

    @Test
    void capacityIsNeverExceededAndSlotsAreUsedAgain(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=3");
        Map<String, RawHttp> clients = requests(scene, 7);
        List<StreamedRequest> open = new ArrayList<>();
        Set<Integer> slots = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            StreamedRequest request = peer.request();
            open.add(request);
            slots.add(request.stream());
        }

        assertEquals(Set.of(1, 2, 3), slots);
        assertTrue(peer.isSilent(WHILE));
        // The one in the middle is answered first, and its slot goes to the next request.
        for (int i = 0; i < 4; i++) {
            StreamedRequest done = open.remove(1);
            peer.text(done.stream(), "answer to " + done.path());
            requireAnswer(clients, done);
            StreamedRequest next = peer.request();
            assertEquals(done.stream(), next.stream());
            open.add(next);
        }
        for (StreamedRequest request : open) {
            peer.text(request.stream(), "answer to " + request.path());
            requireAnswer(clients, request);
        }
        peer.requireAlive();
    }

    private static void requireAnswer(Map<String, RawHttp> clients, StreamedRequest request)
            throws IOException {
        RawHttp client = clients.get(request.path());
        if (client == null) {
            throw new AssertionError("nobody asked for " + request.path());
        }
        assertEquals("answer to " + request.path(), client.answer().text());
    }

    @Test
    void capacityIsOneUnlessThePeerSaysMore(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        Map<String, RawHttp> clients = requests(scene, 2);

        StreamedRequest first = peer.request();
        assertEquals(1, first.stream());
        assertTrue(peer.isSilent(WHILE));
        peer.text(1, "answer to " + first.path());
        StreamedRequest second = peer.request();
        peer.text(second.stream(), "answer to " + second.path());

        assertEquals(1, second.stream());
        requireAnswer(clients, first);
        requireAnswer(clients, second);
    }

    @Test
    void moreCapacityTakesWaitingRequestsAtOnce(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=1");
        Map<String, RawHttp> clients = requests(scene, 3);
        List<StreamedRequest> open = new ArrayList<>(List.of(peer.request()));
        scene.awaitWaiting(2);

        peer.capacity(3);

        open.add(peer.request());
        open.add(peer.request());
        for (StreamedRequest request : open) {
            peer.text(request.stream(), "answer to " + request.path());
            requireAnswer(clients, request);
        }
    }

    @Test
    void lessCapacityHoldsRequestsBackUntilThereIsRoomBelowIt(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2");
        Map<String, RawHttp> clients = requests(scene, 3);
        StreamedRequest first = peer.request();
        StreamedRequest second = peer.request();
        peer.capacity(1);
        peer.requireAlive();

        peer.text(first.stream(), "answer to " + first.path());
        assertTrue(peer.isSilent(WHILE));
        peer.text(second.stream(), "answer to " + second.path());
        StreamedRequest third = peer.request();

        assertEquals(1, third.stream());
        peer.text(third.stream(), "answer to " + third.path());
        for (StreamedRequest request : List.of(first, second, third)) {
            requireAnswer(clients, request);
        }
    }

    @Test
    void noCapacityIsAPause(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=0");
        Map<String, RawHttp> clients = requests(scene, 1);
        scene.awaitWaiting(1);

        assertTrue(peer.isSilent(WHILE));
        peer.capacity(1);
        StreamedRequest request = peer.request();
        peer.capacity(0);
        peer.text(request.stream(), "answer to " + request.path());

        requireAnswer(clients, request);
        RawHttp second = scene.get("/second");
        scene.awaitWaiting(1);
        assertTrue(peer.isSilent(WHILE));
        peer.capacity(4_294_967_295L);
        Answers3.requireServed(peer, "/second", "second", second);
    }

    @Test
    void connectionWithTheLargestFreeShareIsPicked(Scene scene) throws Exception {
        FramePeer large = scene.framePeer("capacity=4");
        RawHttp one = scene.get("/1");
        StreamedRequest first = large.request("/1");
        FramePeer small = scene.framePeer("capacity=2");
        scene.awaitPeers(2);

        RawHttp two = scene.get("/2");
        StreamedRequest second = small.request("/2");
        RawHttp three = scene.get("/3");
        StreamedRequest third = large.request("/3");

        large.text(first.stream(), "1");
        small.text(second.stream(), "2");
        large.text(third.stream(), "3");
        assertEquals("1", one.answer().text());
        assertEquals("2", two.answer().text());
        assertEquals("3", three.answer().text());
    }

    @Test
    void longestWaitingComesFirstAcrossTheContextsOfAConnection(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=1");
        String other = scene.app() + "-b";
        assertEquals("", peer.register(other, ""));
        List<RawHttp> clients = new ArrayList<>();
        clients.add(scene.get("/busy"));
        StreamedRequest open = peer.request("/busy");
        clients.add(scene.asking("/" + other + "/1"));
        scene.awaitWaitingFor("/" + other, 1);
        clients.add(scene.get("/2"));
        scene.awaitWaiting(1);
        clients.add(scene.asking("/" + other + "/3"));
        scene.awaitWaitingFor("/" + other, 2);

        List<String> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            peer.text(open.stream(), "done");
            open = peer.request();
            order.add(open.path());
        }
        peer.text(open.stream(), "done");

        assertEquals(List.of("/1", "/2", "/3"), order);
        for (RawHttp client : clients) {
            assertEquals("done", client.answer().text());
        }
    }
}
