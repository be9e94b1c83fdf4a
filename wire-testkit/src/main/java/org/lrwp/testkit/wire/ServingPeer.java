package org.lrwp.testkit.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/** A peer that answers every request by a function, on a thread of its own. */
public final class ServingPeer implements AutoCloseable {
    private final ScriptedPeer peer;
    private final List<RequestFrame> seen = new CopyOnWriteArrayList<>();
    private final BlockingQueue<RequestFrame> untaken = new LinkedBlockingQueue<>();
    private final Thread thread;

    /**
     * Registers and serves.
     *
     * @param handler gives the whole output of a request: head and body
     */
    public ServingPeer(int port, String app, Function<RequestFrame, byte[]> handler)
            throws IOException {
        this(port, app, "", handler);
    }

    /** The same for one virtual host. */
    public ServingPeer(int port, String app, String host, Function<RequestFrame, byte[]> handler)
            throws IOException {
        peer = ScriptedPeer.dial(port).register(app, host);
        peer.wire().patience(Duration.ofMinutes(10));
        thread = Thread.ofVirtual().start(() -> serve(handler));
    }

    /** A peer that answers everything alike, in ISO 8859-1: head and body. */
    public static ServingPeer saying(int port, String app, String output) throws IOException {
        return new ServingPeer(port, app, request -> Bytes.of(output));
    }

    /** A peer that answers with the method, the path below its context and the body. */
    public static ServingPeer echo(int port, String app) throws IOException {
        return new ServingPeer(port, app, ServingPeer::echo);
    }

    /** What an echo peer answers. */
    public static byte[] echo(RequestFrame request) {
        return ScriptedPeer.plain(
                request.env("REQUEST_METHOD")
                        + " "
                        + request.env("PATH_INFO")
                        + "\n"
                        + request.text());
    }

    private void serve(Function<RequestFrame, byte[]> handler) {
        try {
            while (true) {
                RequestFrame request = peer.request();
                seen.add(request);
                untaken.add(request);
                peer.answer(handler.apply(request));
            }
        } catch (IOException e) {
            // The end of its life: the test closed it, or the proxy.
        }
    }

    /** The requests it got so far. */
    public List<RequestFrame> seen() {
        return List.copyOf(seen);
    }

    /** Waits for the next request that was not taken: {@link RequestFrame#lines}. */
    public String take() throws InterruptedException {
        return untaken.take().lines();
    }

    /** Whether it still serves. */
    public boolean isServing() {
        return thread.isAlive();
    }

    /** Leaves at once. */
    @Override
    public void close() throws IOException {
        peer.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
