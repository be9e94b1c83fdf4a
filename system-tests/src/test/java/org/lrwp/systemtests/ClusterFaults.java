package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.systemtests.harness.ClusterNode;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.NatsServer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Faults of a cluster under load: a node that is stopped, a partition, NATS that dies. Every
 * request has a name of its own: none is done twice, and none is lost without an error that has a
 * name. The others are as quick as without a fault.
 */
final class ClusterFaults {
    private static final System.Logger LOG = System.getLogger(ClusterFaults.class.getName());
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration WELL = Duration.ofSeconds(5);
    private static final Duration FAULT = Duration.ofSeconds(10);

    /** Requests may take this many times what they take in quiet, or so long that nobody minds. */
    private static final int MOST_TIMES = 3;

    private static final Duration UNNOTICED = Duration.ofMillis(250);
    private static final String PATH = "/" + ClusterNode.APP + "/x";
    private static final String NAME = "client";
    private static final int CLIENTS = 7;
    private static final Set<String> NAMED =
            Set.of("peer-gone", "no-peer", "queue-full", "waited-too-long", "peer-timeout");

    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final NatsServer nats;
    private final ClusterNode a;
    private final ClusterNode b;
    private final ClusterNode c;

    /** The 99th percentile beside each fault. */
    private final Map<String, Duration> slowest = new LinkedHashMap<>();

    /** A request and what became of it. */
    private record Asked(String id, long begun, long ended, HttpAnswer answer) {
        boolean isDone() {
            return answer.status() == 200;
        }

        Duration time() {
            return Duration.ofNanos(ended - begun);
        }
    }

    ClusterFaults(List<ClusterNode> nodes, NatsServer nats) {
        this.a = nodes.get(0);
        this.b = nodes.get(1);
        this.c = nodes.get(2);
        this.nats = nats;
    }

    // ---- The load: a has one slot and all clients but one, so many requests leave it.

    private List<Future<Integer>> load(ExecutorService threads) {
        List<Future<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            String name = NAME + i + "-";
            ClusterNode node = i == 0 ? b : a;
            clients.add(threads.submit(() -> client(node, name)));
        }
        return clients;
    }

    private int client(ClusterNode node, String name) throws IOException {
        int count = 0;
        RawHttp client = RawHttp.to(node.proxy().httpPort());
        try {
            while (!over.get()) {
                String id = name + count++;
                long begun = System.nanoTime();
                client.send("POST", PATH, id.getBytes(StandardCharsets.US_ASCII));
                HttpAnswer answer = client.answer();
                asked.add(new Asked(id, begun, System.nanoTime(), answer));
                if (answer.saysClose()) {
                    client.close();
                    client = RawHttp.to(node.proxy().httpPort());
                }
            }
        } finally {
            client.close();
        }
        return count;
    }

    // ---- Faults.

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, "" + c.proxy().pid()).start().waitFor();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void requireWell(String fault, long since) throws Exception {
        Wait.require(
                "all nodes know each other after " + fault,
                WELL,
                () -> isWell(a, "b", "c") && isWell(b, "a", "c") && isWell(c, "a", "b"));
        long well = System.nanoTime();
        Wait.pass(Duration.ofMillis(500));
        List<Asked> failed =
                asked.stream().filter(one -> one.begun() > well && !one.isDone()).toList();
        assertEquals(List.of(), failed, "errors after " + fault);
        slowest.put(fault, p99(since, System.nanoTime()));
    }

    /** Only those whose requests were there wait for what is broken. */
    private void requireQuick() {
        long since = System.nanoTime();
        Wait.pass(WELL);
        Duration quiet = p99(since, System.nanoTime());
        LOG.log(System.Logger.Level.INFO, "cluster-p99 quiet={0} faults={1}", quiet, slowest);
        Duration times = quiet.multipliedBy(MOST_TIMES);
        Duration most = times.compareTo(UNNOTICED) > 0 ? times : UNNOTICED;
        slowest.forEach(
                (fault, p99) ->
                        assertTrue(
                                p99.compareTo(most) <= 0,
                                () -> fault + ": p99 " + p99 + ", in quiet " + quiet));
    }

    private static boolean isWell(ClusterNode node, String... others) throws IOException {
        for (String other : others) {
            if (!node.stateOf(other).equals("live")) {
                return false;
            }
        }
        return true;
    }

    private Duration p99(long from, long to) {
        List<Duration> times =
                asked.stream()
                        .filter(one -> one.begun() >= from && one.begun() < to && one.isDone())
                        .map(Asked::time)
                        .sorted()
                        .toList();
        assertFalse(times.isEmpty());
        return times.get(Math.min(times.size() - 1, times.size() * 99 / 100));
    }

    /** The faults, one after the other. */
    void run(ExecutorService threads) throws Exception {
        List<Future<Integer>> clients = load(threads);
        int before = c.seen().size();
        Wait.require("c gets requests", SOON, () -> c.seen().size() > before + 20);

        long stopped = System.nanoTime();
        signal("STOP");
        Wait.require("c is silent", SOON, () -> a.stateOf("c").equals("silent"));
        Wait.pass(FAULT);
        signal("CONT");
        requireWell("SIGSTOP", stopped);

        long parted = System.nanoTime();
        nats.otherWay().silentWhile(() -> Wait.pass(FAULT));
        requireWell("partition", parted);

        long killed = System.nanoTime();
        nats.kill();
        Wait.require("a is alone", SOON, () -> !a.cluster().getBoolean("connected"));
        nats.start();
        requireWell("kill -9 of NATS", killed);
        requireQuick();

        over.set(true);
        int count = 0;
        for (Future<Integer> client : clients) {
            count += client.get();
        }
        judge(count);
    }

    private void judge(int count) {
        assertEquals(count, asked.size(), "a request without an answer");
        Map<String, Integer> seen = new HashMap<>();
        for (ClusterNode node : List.of(a, b, c)) {
            node.seen().stream()
                    .filter(id -> id.startsWith(NAME))
                    .forEach(id -> seen.merge(id, 1, Integer::sum));
        }
        seen.forEach((id, times) -> assertEquals(1, times, id + " was done more than once"));
        int errors = 0;
        for (Asked one : asked) {
            if (one.isDone()) {
                assertTrue(one.answer().text().endsWith(" " + one.id()), one::toString);
                assertTrue(seen.containsKey(one.id()), one::toString);
            } else {
                errors++;
                assertTrue(NAMED.stream().anyMatch(one.answer().text()::contains), one::toString);
            }
        }
        LOG.log(
                System.Logger.Level.INFO,
                "cluster-faults requests={0} errors={1}",
                Integer.toString(count),
                Integer.toString(errors));
        assertTrue(count > 200, "too few requests: " + count);
        assertTrue(errors < count / 10, errors + " errors of " + count);
    }
}
