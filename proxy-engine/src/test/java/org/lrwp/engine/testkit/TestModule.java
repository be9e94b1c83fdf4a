package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.peer.LocalPeer;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.peer.local.LocalConnection;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A module of {@code /osp} that does what a test says, and writes down what it hears. */
public final class TestModule {
    /** The usual header fields. */
    public static final List<HeaderField> PLAIN =
            List.of(new HeaderField("Content-Type", "text/plain"));

    private final List<String> events = new ArrayList<>();
    private final LocalConnection connection;
    private ExchangeHandler handler;
    private @Nullable PeerExchange exchange;

    /** A module that listens to its requests and does nothing of itself; it returns at once. */
    public TestModule(TestEngine engine, WorkSource work, int capacity) {
        this(engine, work, capacity, true);
    }

    /** The same, whose handler may block unless it is prompt. */
    public TestModule(TestEngine engine, WorkSource work, int capacity, boolean prompt) {
        handler = this::listen;
        var peer =
                new LocalPeer(
                        "test",
                        List.of(new ServedContext("/osp", "")),
                        capacity,
                        one -> handler.handle(one),
                        prompt,
                        () -> events.add("drain"));
        connection =
                new LocalConnection(
                        peer,
                        new PeerEnvironment(
                                engine.time(),
                                engine.time(),
                                work,
                                context -> TestEngine.peerConfig()));
        connection.open();
    }

    /** What it does with requests from now on. */
    public TestModule handles(ExchangeHandler next) {
        handler = next;
        return this;
    }

    /** Remembers an exchange and listens to it. */
    public void listen(PeerExchange one) {
        exchange = one;
        one.listen(
                new ExchangeListener() {
                    @Override
                    public void onBody(ByteBuffer bytes) {
                        events.add("body " + StandardCharsets.ISO_8859_1.decode(bytes));
                    }

                    @Override
                    public void onBodyEnd() {
                        events.add("body end");
                    }

                    @Override
                    public void onWritable() {
                        events.add("writable");
                    }

                    @Override
                    public void onCancelled(String reason) {
                        events.add("cancelled " + reason);
                    }

                    @Override
                    public void onDone() {
                        events.add("done");
                    }
                });
    }

    /** The exchange it listened to last. */
    public PeerExchange exchange() {
        return Objects.requireNonNull(exchange, "no request has come");
    }

    /** What it has heard since it was asked last. */
    public List<String> events() {
        List<String> heard = List.copyOf(events);
        events.clear();
        return heard;
    }

    /** Gives it a request. */
    public void give(Exchange request) {
        PeerSlot slot = connection.claim();
        if (slot == null || !slot.send(request)) {
            throw new AssertionError("the module takes no request");
        }
    }

    /** The proxy's side. */
    public LocalConnection connection() {
        return connection;
    }
}
