package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An LRWP 3 peer that executes a request when it says STARTED, and that refuses, gives up, leaves
 * in order, resets, or breaks a rule every now and then. One thread runs it.
 */
public final class FaultyStreamPeer implements RandomPeer {
    private static final int CAPACITY = 4;
    private static final int SOME = 500;

    private final int port;
    private final String app;
    private final Random random;
    private final Map<String, AtomicInteger> executions;
    private final Map<String, Boolean> cuts = new ConcurrentHashMap<>();
    private final Map<Integer, Arriving> open = new HashMap<>();

    /** A request whose body is coming in. */
    private static final class Arriving {
        private final String id;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Arriving(StreamedRequest request) {
            id = request.env("HTTP_X_ID");
            body.writeBytes(request.frame().body());
        }
    }

    /**
     * Creates a peer.
     *
     * @param executions how often which request was executed, by the value of its X-Id
     */
    public FaultyStreamPeer(
            int port, String app, Random random, Map<String, AtomicInteger> executions) {
        this.port = port;
        this.app = app;
        this.random = random;
        this.executions = executions;
    }

    @Override
    public Map<String, Boolean> cuts() {
        return cuts;
    }

    @Override
    public int run(AtomicBoolean over) {
        int lives = 0;
        while (!over.get()) {
            lives++;
            open.clear();
            String stream = "stream=" + random.nextInt(2);
            try (FramePeer peer = FramePeer.dial(port)) {
                peer.open(app, "capacity=" + CAPACITY, "started=1", "ping=1", stream);
                peer.wire().patience(Duration.ofMillis(200));
                live(peer, over);
            } catch (IOException | AssertionError e) {
                // It died, or the proxy had enough of it.
            }
        }
        return lives;
    }

    private void live(FramePeer peer, AtomicBoolean over) throws IOException {
        boolean goesOn = true;
        while (goesOn && !over.get()) {
            Frame frame;
            try {
                frame = peer.frame();
            } catch (SocketTimeoutException idle) {
                peer.finish();
                return;
            }
            goesOn = take(peer, frame);
        }
        if (goesOn) {
            peer.finish();
        }
    }

    private boolean take(FramePeer peer, Frame frame) throws IOException {
        int stream = frame.stream();
        switch (frame.type()) {
            case Frame.REQUEST -> {
                Arriving request = new Arriving(StreamedRequest.of(frame));
                open.put(stream, request);
                return frame.isEnd() ? answer(peer, stream) : granted(peer, stream, request);
            }
            case Frame.DATA -> {
                Arriving request = open.get(stream);
                if (request == null) {
                    return true;
                }
                request.body.writeBytes(frame.payload());
                return frame.isEnd() ? answer(peer, stream) : granted(peer, stream, frame);
            }
            case Frame.CANCEL -> {
                if (open.remove(stream) != null) {
                    peer.endSlot(stream);
                }
            }
            case Frame.PING -> peer.send(Frame.of(Frame.PONG, 0, frame.payload()));
            default -> {
                // Windows for small answers, and what this peer does not need.
            }
        }
        return true;
    }

    private boolean granted(FramePeer peer, int stream, Arriving request) throws IOException {
        if (request.body.size() > 0) {
            peer.window(stream, request.body.size());
        }
        return true;
    }

    private boolean granted(FramePeer peer, int stream, Frame data) throws IOException {
        if (data.payload().length > 0) {
            peer.window(stream, data.payload().length);
        }
        return true;
    }

    private void execute(FramePeer peer, int stream, String id) throws IOException {
        peer.started(stream);
        executions.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
    }

    /** Answers a whole request, or does something else; whether the connection goes on. */
    private boolean answer(FramePeer peer, int stream) throws IOException {
        Arriving request = open.remove(stream);
        if (request == null) {
            return true;
        }
        String right = RandomPeer.text(request.id, request.body.size());
        int choice = random.nextInt(50);
        switch (choice) {
            case 0, 1 -> peer.refuse(stream, "not now");
            case 2 -> {
                peer.finish();
                return false;
            }
            case 3 -> {
                peer.reset();
                return false;
            }
            default -> {
                execute(peer, stream, request.id);
                return answerStarted(peer, stream, request.id, right, choice);
            }
        }
        return true;
    }

    private boolean answerStarted(FramePeer peer, int stream, String id, String right, int choice)
            throws IOException {
        switch (choice) {
            case 4 -> {
                peer.reset();
                return false;
            }
            case 5 -> {
                peer.finish();
                return false;
            }
            case 6 -> peer.begin(stream, "no colon\n\n");
            case 7 -> peer.cancel(stream, "given up");
            case 8 -> peer.data(stream + CAPACITY, "broken rule");
            case 9 -> {
                cuts.put(id, true);
                peer.begin(stream, "Content-Type: text/plain\n\n" + "x".repeat(SOME));
                Wait.pass(Duration.ofMillis(random.nextInt(100)));
                peer.cancel(stream, "given up");
            }
            case 10 -> {
                cuts.put(id, true);
                peer.begin(stream, "Content-Type: text/plain\n\n" + "x".repeat(SOME));
                Wait.pass(Duration.ofMillis(random.nextInt(100)));
                peer.reset();
                return false;
            }
            case 11 -> {
                Wait.pass(Duration.ofMillis(random.nextInt(100)));
                peer.text(stream, right);
            }
            case 12 -> {
                peer.begin(stream, "Content-Type: text/plain\n\n");
                peer.data(stream, right);
                peer.endData(stream);
            }
            case 13 -> {
                peer.text(stream, right);
                peer.drain();
            }
            default -> peer.text(stream, right);
        }
        return true;
    }
}
