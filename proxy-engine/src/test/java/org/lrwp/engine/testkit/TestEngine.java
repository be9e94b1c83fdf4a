package org.lrwp.engine.testkit;

import org.lrwp.engine.context.ContextConfig;
import org.lrwp.engine.context.HealthConfig;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.LeastRate;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.LengthField;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.ProxySettings;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** What the parts of an engine share, all of it moved by hand, and the limits tests use. */
public final class TestEngine {
    /** How long a request may wait for a peer. */
    public static final Duration QUEUE_TIME = Duration.ofSeconds(10);

    /** How long a body may be silent. */
    public static final Duration BODY_TIME = Duration.ofSeconds(30);

    public static final LeastRate BODY_RATE = new LeastRate(2, Duration.ofSeconds(100));

    /** How long after its head an answer starts. */
    public static final Duration START_DELAY = Duration.ofMillis(100);

    /** How long a peer may say nothing. */
    public static final Duration RESPONSE_TIME = Duration.ofSeconds(60);

    /** How long a peer may take no byte. */
    public static final Duration SEND_TIME = Duration.ofSeconds(10);

    /** How long a tunnel may carry nothing. */
    public static final Duration IDLE_TIME = Duration.ofMinutes(10);

    /** How long a context stays known without peers. */
    public static final Duration GRACE = Duration.ofSeconds(10);

    /** Bytes of a body. */
    public static final int MAX_BODY = 200_000;

    /** Bytes of an answer before it starts. */
    public static final int START_BYTES = 64 * 1024;

    /** Bytes of one answer that wait for its client. */
    public static final int ANSWER_LIMIT = 300_000;

    private static final long MEMORY_PER_BODY = 64 * 1024;
    private static final long MEMORY_TOTAL = 1024 * 1024;
    private static final long DISK_TOTAL = 4 * 1024 * 1024;
    private static final int ANSWER_HEAD = 64 * 1024;
    private static final int QUEUE_LENGTH = 3;

    private final ManualTime time = new ManualTime();
    private final FakeLoop loop = new FakeLoop();
    private final List<ExchangeRecord> records = new ArrayList<>();
    private final SpoolStore store;
    private final ExchangeEnvironment environment;
    private int requests;
    private int failing;
    private int tunnelRoom = Integer.MAX_VALUE;

    /** Creates one with room for all a test usually needs. */
    public TestEngine() {
        this(DISK_TOTAL);
    }

    /** Creates one with a limit for its temporary files. */
    public TestEngine(long diskTotal) {
        this(Path.of(System.getProperty("java.io.tmpdir")), diskTotal);
    }

    /** Creates one with a folder for its temporary files and a limit for them. */
    public TestEngine(Path folder, long diskTotal) {
        this(folder, diskTotal, Runnable::run);
    }

    /** Creates one whose disk works when the executor says. */
    public TestEngine(Path folder, long diskTotal, Executor disk) {
        store =
                new SpoolStore(
                        new SpoolConfig(
                                folder, MEMORY_PER_BODY, MEMORY_TOTAL, diskTotal, ANSWER_LIMIT),
                        disk);
        environment = new ExchangeEnvironment(time, time, store, new End());
    }

    /** Writes down how exchanges end. */
    private final class End implements ExchangeEnvironment.End {
        @Override
        public void ended(Exchange exchange, ExchangeRecord record) {
            records.add(record);
        }

        @Override
        public void failing() {
            failing++;
        }

        @Override
        public void failed() {
            failing--;
        }

        @Override
        public boolean hasTunnelRoom() {
            return tunnelRoom > 0;
        }

        @Override
        public boolean opensTunnel(Exchange exchange) {
            return --tunnelRoom >= 0;
        }
    }

    /** From now on there may be so many tunnels more. */
    public void tunnelRoom(int tunnels) {
        tunnelRoom = tunnels;
    }

    /** The time of all parts. */
    public ManualTime time() {
        return time;
    }

    /** The loop of all links. */
    public FakeLoop loop() {
        return loop;
    }

    /** Where bodies wait. */
    public SpoolStore store() {
        return store;
    }

    /** How exchanges ended, in this order. */
    public List<ExchangeRecord> records() {
        return records;
    }

    /** Whether a client is being told that its exchange has failed. */
    public boolean isFailing() {
        return failing > 0;
    }

    /** The reasons of {@link #records}. */
    public List<String> reasons() {
        return records.stream().map(ExchangeRecord::reason).toList();
    }

    /** Moves time on and runs what follows from it. */
    public void pass(Duration by) {
        loop.run();
        time.advance(by);
        loop.run();
    }

    /** What exchanges share. */
    public ExchangeEnvironment environment() {
        return environment;
    }

    /** The limits of exchanges. */
    public static ExchangeConfig exchangeConfig() {
        return new ExchangeConfig(
                QUEUE_TIME, MAX_BODY, BODY_TIME, BODY_RATE, START_BYTES, START_DELAY);
    }

    /** The same with another queue time. */
    public static ExchangeConfig queueTime(Duration time) {
        return new ExchangeConfig(time, MAX_BODY, BODY_TIME, BODY_RATE, START_BYTES, START_DELAY);
    }

    /** The limits of peers. */
    public static PeerConfig peerConfig() {
        return new PeerConfig(RESPONSE_TIME, SEND_TIME, true, ANSWER_HEAD, IDLE_TIME);
    }

    /** The limits of a context. */
    public static ContextConfig contextConfig(boolean named) {
        return new ContextConfig(
                exchangeConfig(), peerConfig(), QUEUE_LENGTH, GRACE, HealthConfig.OFF, named);
    }

    /** An exchange whose body has not come yet. */
    public Exchange open(String method, Dispatcher context, Client client) {
        return open(method, exchangeConfig(), context, client);
    }

    /** The same with limits of its own. */
    public Exchange open(String method, ExchangeConfig limits, Dispatcher context, Client client) {
        String id = "r" + ++requests;
        var request =
                new ExchangeRequest(
                        id,
                        method,
                        "/osp/" + id,
                        "192.0.2.1",
                        (block, length, upgrade) -> frameHead(id, Math.max(length, 0)));
        return new Exchange(request, limits, environment, context, client);
    }

    /** A GET without body that offers protocols, which is now with its context. */
    public Exchange offer(String protocols, Dispatcher context, Client client) {
        return get(UpgradeNames.of(protocols), "", context, client);
    }

    /** A GET without body whose client shows a tag, which is now with its context. */
    public Exchange comeBack(String tag, Dispatcher context, Client client) {
        return get(UpgradeNames.NONE, tag, context, client);
    }

    private Exchange get(UpgradeNames upgrades, String tag, Dispatcher context, Client client) {
        String id = "r" + ++requests;
        var request =
                new ExchangeRequest(
                        id,
                        "GET",
                        () -> "/osp/" + id,
                        "192.0.2.1",
                        new Block(id),
                        upgrades,
                        "edge",
                        tag);
        Exchange exchange = new Exchange(request, exchangeConfig(), environment, context, client);
        exchange.body().whole();
        loop.run();
        return exchange;
    }

    /** An env block that holds the id and the protocols. */
    private record Block(String id) implements ExchangeRequest.EnvBlock {
        @Override
        public ByteBuffer encode(EnvBlockWriter block, long bodyLength, String upgrade) {
            return frameHead(upgrade.isEmpty() ? id : id + "\0HTTP_UPGRADE=" + upgrade, bodyLength);
        }
    }

    /** An exchange with its whole body, which is now with its context. */
    public Exchange submit(String method, String body, Dispatcher context, Client client) {
        Exchange exchange = open(method, context, client);
        if (!body.isEmpty()) {
            exchange.body().receive(bytes(body));
        }
        exchange.body().whole();
        return exchange;
    }

    /** Limits of LRWP 3 connections: a ping after 10 s, 100 requests, 5 contexts. */
    public static Lrwp3Config lrwp3Config() {
        return new Lrwp3Config(ProxySettings.DEFAULT, false, Duration.ofSeconds(5), 100, 5);
    }

    /** The head of a request frame: an env block that holds the id only. */
    public static ByteBuffer frameHead(String id, long bodyLength) {
        return bytes(frameHeadText(id, bodyLength));
    }

    /** The same as text. */
    public static String frameHeadText(String id, long bodyLength) {
        String block = "ID=" + id + "\0\0";
        return digits(block.length()) + block + digits(bodyLength);
    }

    /** Nine digits. */
    public static String digits(long length) {
        return new String(LengthField.encode(length), StandardCharsets.ISO_8859_1);
    }

    /** An answer frame. */
    public static String frame(String output) {
        return digits(output.length()) + output;
    }

    /** A whole answer with the usual head. */
    public static String answer(String body) {
        return frame("Content-Type: text/plain\r\n\r\n" + body);
    }

    /** One byte per character. */
    public static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
