package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.systemtests.harness.ClusterNode;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.NatsServer;
import org.lrwp.systemtests.harness.PausingRelay;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
 * name. {@code -Plong} makes stop and partition last 10 s instead of 2.
 */
final class ClusterFaults {
    private static final System.Logger LOG = System.getLogger(ClusterFaults.class.getName());
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration WELL = Duration.ofSeconds(5);
    private static final Duration FAULT =
            Duration.ofSeconds(Math.min(10, Long.getLong("fault.seconds", 2)));
    private static final String PATH = "/" + ClusterNode.APP + "/x";
    private static final String NAME = "client";
    private static final int CLIENTS = 4;
    private static final Set<String> NAMED =
            Set.of("peer-gone", "no-peer", "queue-full", "queue-timeout", "response-timeout");

    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final NatsServer nats;
    private final PausingRelay relay;
    private final ClusterNode a;
    private final ClusterNode b;
    private final ClusterNode c;

    /** A request and what became of it. */
    private record Asked(String id, long begun, long ended, HttpAnswer answer) {
        boolean isDone() {
            return answer.status() == 200;
        }

        long millis() {
            return (ended - begun) / 1_000_000;
        }
    }

    ClusterFaults(List<ClusterNode> nodes, NatsServer nats, PausingRelay relay) {
        this.a = nodes.get(0);
        this.b = nodes.get(1);
        this.c = nodes.get(2);
        this.nats = nats;
        this.relay = relay;
    }

    // ---- The load: a has one slot and most of the clients.

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
        while (!over.get()) {
            String id = name + count++;
            long begun = System.nanoTime();
            try (RawHttp client = RawHttp.to(node.proxy().httpPort())) {
                client.send("POST", PATH, id.getBytes(StandardCharsets.US_ASCII));
                HttpAnswer answer = client.answer();
                asked.add(new Asked(id, begun, System.nanoTime(), answer));
            }
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
        LOG.log(
                System.Logger.Level.INFO,
                "cluster-fault fault=\"{0}\" p99-ms={1} well-after-ms={2}",
                fault,
                p99(since, well),
                (well - since) / 1_000_000);
    }

    private static boolean isWell(ClusterNode node, String... others) throws IOException {
        for (String other : others) {
            if (!node.stateOf(other).equals("live")) {
                return false;
            }
        }
        return true;
    }

    private long p99(long from, long to) {
        List<Long> times =
                asked.stream()
                        .filter(one -> one.begun() >= from && one.begun() < to && one.isDone())
                        .map(Asked::millis)
                        .sorted()
                        .toList();
        return times.isEmpty() ? 0 : times.get(Math.min(times.size() - 1, times.size() * 99 / 100));
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
        relay.silentWhile(() -> Wait.pass(FAULT));
        requireWell("partition", parted);

        long killed = System.nanoTime();
        nats.kill();
        Wait.require("a is alone", SOON, () -> !a.cluster().getBoolean("connected"));
        nats.start();
        requireWell("kill -9 of NATS", killed);

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
