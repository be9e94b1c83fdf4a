package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One test's clients and peers on a shared server: made here, closed when the test ends. Every test
 * has contexts of its own, named by {@link #app}.
 */
public final class Scene implements AutoCloseable {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Duration SOON = Duration.ofSeconds(20);

    private final ProxyProcess proxy;
    private final String name;
    private final int number = NUMBERS.incrementAndGet();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ExecutorService threads =
            Executors.newCachedThreadPool(
                    task -> Thread.ofPlatform().daemon().name("meanwhile").unstarted(task));

    Scene(ProxyProcess proxy, String name) {
        this.proxy = proxy;
        this.name = name;
    }

    /** One for a test with a server of its own, which closes it. */
    public static Scene on(ProxyProcess proxy) {
        return new Scene(proxy, "a scene");
    }

    /** The server. */
    public ProxyProcess proxy() {
        return proxy;
    }

    /** The name of this test's context, as peers register it. */
    public String app() {
        return "t" + number;
    }

    /** The path of this test's context with a rest. */
    public String path(String rest) {
        return "/" + app() + rest;
    }

    /** Closes something when the test ends. */
    public synchronized <T extends AutoCloseable> T closing(T thing) {
        open.push(thing);
        return thing;
    }

    /** A client. */
    public RawHttp client() throws IOException {
        return closing(RawHttp.to(proxy.httpPort()));
    }

    /** A client that has sent a GET. */
    public RawHttp asking(String target, String... lines) throws IOException {
        RawHttp client = client();
        client.request("GET", target, lines);
        return client;
    }

    /** A client that has sent a GET for a path of this test's context. */
    public RawHttp get(String rest, String... lines) throws IOException {
        return asking(path(rest), lines);
    }

    /** A client that has sent a POST to a path of this test's context. */
    public RawHttp post(String rest, byte[] body, String... lines) throws IOException {
        RawHttp client = client();
        client.post(path(rest), body, lines);
        return client;
    }

    /** A registered peer of this test's context. */
    public ScriptedPeer peer() throws Exception {
        return peer(app());
    }

    /** A registered peer. */
    public ScriptedPeer peer(String app) throws Exception {
        ScriptedPeer peer = closing(ScriptedPeer.dial(proxy.lrwpPort()));
        return peer.register(app);
    }

    /** An unregistered peer. */
    public ScriptedPeer dial() throws IOException {
        return closing(ScriptedPeer.dial(proxy.lrwpPort()));
    }

    /** An LRWP 3 peer of this test's context with settings as {@code name=value}. */
    public FramePeer framePeer(String... settings) throws Exception {
        FramePeer peer = dialFrames().open(app(), settings);
        // Its settings have been read, so that requests can come.
        peer.requireAlive();
        return peer;
    }

    /** An LRWP 3 peer that has said nothing yet. */
    public FramePeer dialFrames() throws IOException {
        return closing(FramePeer.dial(proxy.lrwpPort()));
    }

    /** A serving peer of this test's context. */
    public ServingPeer serving(Function<RequestFrame, byte[]> handler) throws IOException {
        return closing(new ServingPeer(proxy.lrwpPort(), app(), handler));
    }

    /** An echo peer of this test's context. */
    public ServingPeer echo() throws IOException {
        return closing(ServingPeer.echo(proxy.lrwpPort(), app()));
    }

    /** Does something at the same time; it must end when it is interrupted, with the test. */
    public <T> Future<T> meanwhile(Callable<T> task) {
        return threads.submit(task);
    }

    /** Waits until so many connections serve this test's context. */
    public void awaitPeers(int count) throws Exception {
        awaitPeersOf("/" + app(), count);
    }

    /** Waits until so many connections serve a context. */
    public void awaitPeersOf(String context, int count) throws Exception {
        Wait.require(
                count + " peers serve " + context,
                SOON,
                () -> proxy.status().number(context, "connections") == count);
    }

    /** Waits until a context is served, by however many connections. */
    public void awaitServed(String context) throws Exception {
        Wait.require(
                context + " is served",
                SOON,
                () -> proxy.status().number(context, "connections") > 0);
    }

    /** Waits until so many requests wait for this test's context. */
    public void awaitWaiting(int count) throws Exception {
        awaitWaitingFor("/" + app(), count);
    }

    /** Waits until so many requests wait for a context. */
    public void awaitWaitingFor(String context, int count) throws Exception {
        Wait.require(
                count + " requests wait for " + context,
                SOON,
                () -> proxy.status().number(context, "waiting") == count);
    }

    /**
     * Requires that this connection and this server go on as if nothing had happened; a connection
     * whose last answer said close must be closed, and a new one goes on.
     */
    public void requireNext(RawHttp before) throws Exception {
        RawHttp client = before;
        if (before.isToldToClose()) {
            End end = before.end(SOON);
            if (end != End.FIN && end != End.RESET) {
                throw new AssertionError("the answer said close, and the connection is " + end);
            }
            client = client();
        }
        String app = app() + "-next";
        try (ServingPeer peer = ServingPeer.echo(proxy.lrwpPort(), app)) {
            HttpAnswer answer = client.get("/" + app + "/right");
            if (answer.status() != 200 || !answer.text().equals("GET /right\n")) {
                throw new AssertionError("the next request is not right: " + answer);
            }
            if (peer.seen().size() != 1) {
                throw new AssertionError("its peer saw " + peer.seen().size() + " requests");
            }
        }
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                throw new AssertionError("something does not close", e);
            }
        }
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("what the test does meanwhile does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
