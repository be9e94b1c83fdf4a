package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A peer that dials in again and again, and does to requests what its random numbers say. */
public final class FaultyPeer implements RandomPeer {
    private static final int SOME = 5000;

    private final int port;
    private final String app;
    private final Random random;
    private final Map<String, AtomicInteger> executions;
    private final Map<String, Boolean> cuts = new ConcurrentHashMap<>();

    /**
     * Creates a peer.
     *
     * @param executions how often which request was executed, by the value of its X-Id
     */
    public FaultyPeer(int port, String app, Random random, Map<String, AtomicInteger> executions) {
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
            try (ScriptedPeer peer = ScriptedPeer.dial(port)) {
                peer.register(app);
                peer.wire().patience(Duration.ofMillis(200));
                live(peer, over);
            } catch (IOException | AssertionError e) {
                // It died, or the proxy had enough of it.
            }
        }
        return lives;
    }

    private void live(ScriptedPeer peer, AtomicBoolean over) throws IOException {
        while (!over.get()) {
            RequestFrame request;
            try {
                request = peer.request();
            } catch (SocketTimeoutException idle) {
                return;
            }
            String id = request.env("HTTP_X_ID");
            executions.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
            if (!answer(peer, id, request)) {
                return;
            }
        }
    }

    private boolean answer(ScriptedPeer peer, String id, RequestFrame request) throws IOException {
        byte[] right = ScriptedPeer.plain(RandomPeer.text(id, request.body().length));
        switch (random.nextInt(40)) {
            case 0, 1 -> {
                return false;
            }
            case 2, 3 -> {
                peer.reset();
                return false;
            }
            case 4 -> peer.wire().send("garbage!!");
            case 5 -> peer.answer("no colon\r\n\r\n");
            case 6 -> peer.wire().send("000000000");
            case 7 -> {
                peer.end(Duration.ofSeconds(5));
                return false;
            }
            case 8 -> peer.wire().send(Bytes.join(ScriptedPeer.frame(right), new byte[SOME]));
            case 9 -> {
                cuts.put(id, true);
                peer.wire().send("000100000Content-Type: text/plain\r\n\r\n" + "x".repeat(SOME));
                Wait.pass(Duration.ofMillis(random.nextInt(200)));
                return false;
            }
            case 10 -> {
                Wait.pass(Duration.ofMillis(random.nextInt(100)));
                peer.answer(right);
            }
            default -> peer.answer(right);
        }
        return true;
    }
}
