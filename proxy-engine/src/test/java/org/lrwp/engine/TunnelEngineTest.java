package org.lrwp.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerExchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Tunnels through a whole engine to a peer of the SDK, over real sockets. */
@Timeout(60)
class TunnelEngineTest {
    private final ProxyEngine engine;
    private final LrwpPeer peer;
    private int requests;

    /** Sends back what comes. */
    private record Echo(PeerExchange exchange) implements ExchangeListener {
        static void handle(PeerExchange exchange) {
            exchange.upgrade("websocket", List.of());
            exchange.listen(new Echo(exchange));
        }

        @Override
        public void onBody(ByteBuffer bytes) {
            exchange.write(bytes);
        }

        @Override
        public void onBodyEnd() {
            exchange.complete();
        }

        @Override
        public void onCancelled(String reason) {
            exchange.abort(reason);
        }
    }

    /** A client that takes everything at once. */
    private static final class Ends implements Client, TunnelClient {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        private volatile @Nullable Tunnel tunnel;
        private volatile long taken;

        @Override
        public void answer(AnswerHead head, Spool body) {
            events.add("answer " + head.status());
        }

        @Override
        public void fail(Failure failure) {
            events.add(failure.word());
        }

        @Override
        public TunnelClient upgrade(AnswerHead head, Tunnel opened) {
            tunnel = opened;
            events.add("open " + head.status());
            return this;
        }

        @Override
        public void bytes(ByteBuffer bytes) {
            long sum = taken + bytes.remaining();
            taken = sum;
            tunnel().delivered(bytes.remaining());
            events.add(StandardCharsets.ISO_8859_1.decode(bytes).toString());
        }

        @Override
        public void end() {
            events.add("end");
        }

        @Override
        public void room() {
            events.add("room");
        }

        @Override
        public void cut() {
            events.add("cut");
        }

        Tunnel tunnel() {
            Tunnel known = tunnel;
            assertNotNull(known);
            return known;
        }

        String next() throws InterruptedException {
            return String.valueOf(events.poll(20, TimeUnit.SECONDS));
        }
    }

    TunnelEngineTest() throws IOException {
        engine = ProxyEngine.start(ProxyEngineTest.config(0), record -> {});
        peer =
                LrwpPeer.builder()
                        .proxy("127.0.0.1:" + engine.agentAddress().getPort())
                        .context("/osp")
                        .concurrency(8)
                        .upgrades("websocket")
                        .exchangeHandler(Echo::handle)
                        .connect();
        // Its settings say that it takes upgrades.
        while (engine.status().peers().stream().noneMatch(one -> one.state().equals("open"))) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void close() {
        engine.close();
        peer.close();
    }

    private Exchange offer(Ends client) {
        ContextMatch match = engine.match("", "/osp/x");
        assertNotNull(match);
        String id = "r" + ++requests;
        var request =
                new ExchangeRequest(
                        id,
                        "GET",
                        () -> "/osp/x",
                        "192.0.2.1",
                        new Block(id),
                        UpgradeNames.of("websocket"),
                        "edge",
                        "");
        Exchange exchange = engine.open(match, request, client);
        exchange.body().whole();
        return exchange;
    }

    private record Block(String id) implements ExchangeRequest.EnvBlock {
        @Override
        public ByteBuffer encode(EnvBlockWriter block, long bodyLength, String upgrade) {
            return TestEngine.frameHead(id + "\0HTTP_UPGRADE=" + upgrade, bodyLength);
        }
    }

    private static void send(Ends client, String bytes) {
        client.tunnel().receive(TestEngine.bytes(bytes));
    }

    @Test
    void bytesGoThroughAndBothEndsEndTheExchange() throws Exception {
        var client = new Ends();
        Exchange exchange = offer(client);
        assertEquals("open 101", client.next());
        send(client, "hello");
        assertEquals("hello", client.next());
        client.tunnel().end();
        assertEquals("end", client.next());
        exchange.delivered();
        assertTrue(engine.status().exchanges().isEmpty());
    }

    @Test
    void millionsOfBytesComeBackInOrder() throws Exception {
        var client = new Ends();
        offer(client);
        assertEquals("open 101", client.next());
        var sent = new StringBuilder();
        var read = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            String piece = (i + "-").repeat(2_000);
            sent.append(piece);
            boolean more = client.tunnel().receive(TestEngine.bytes(piece));
            while (!more) {
                String event = client.next();
                more = event.equals("room");
                read.append(more ? "" : event);
            }
        }
        while (read.length() < sent.length()) {
            String event = client.next();
            read.append(event.equals("room") ? "" : event);
        }
        assertEquals(sent.toString(), read.toString());
    }

    @Test
    void tunnelsCountInTheirOwnLimitOnly() throws Exception {
        var first = new Ends();
        var second = new Ends();
        var third = new Ends();
        Exchange one = offer(first);
        assertEquals("open 101", first.next());
        offer(second);
        assertEquals("open 101", second.next());
        offer(third);
        assertEquals("too-many-tunnels", third.next());

        one.clientGone(Failure.CLIENT_GONE);

        var fourth = new Ends();
        offer(fourth);
        assertEquals("open 101", fourth.next());
    }

    @Test
    void drainLeavesTunnelsItsTimeAndCloseCutsThem() throws Exception {
        var client = new Ends();
        offer(client);
        assertEquals("open 101", client.next());

        engine.drain(Duration.ofMillis(200));
        send(client, "still");
        assertEquals("still", client.next());
        engine.close();

        assertEquals("cut", client.next());
    }
}
