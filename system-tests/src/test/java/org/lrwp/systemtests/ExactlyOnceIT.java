package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.systemtests.harness.FaultyPeer;
import org.lrwp.systemtests.harness.FaultyStreamPeer;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.MetricsText;
import org.lrwp.systemtests.harness.RandomPeer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Random faults for a while: every request has one right answer or one error, and is executed once,
 * or twice if its method allows that. {@code -Dseed=} replays the choices of a run.
 */
@SystemTest
@ServerConfig
@Timeout(900)
class ExactlyOnceIT {
    private static final int PEERS = 6;
    private static final int CLIENTS = 12;
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Set<Integer> ERRORS = Set.of(502, 503, 504);

    private final Map<String, AtomicInteger> executions = new ConcurrentHashMap<>();
    private final Map<String, String> methods = new ConcurrentHashMap<>();
    private final Map<String, String> outcomes = new ConcurrentHashMap<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** How many of the peers speak LRWP 1, and how long. */
    @ParameterizedTest
    @CsvSource({"6, 60", "0, 30", "3, 30"})
    void everyRequestHasOneOutcomeAndItsExecutions(int serial, int seconds, Scene scene)
            throws Exception {
        long chosen = Long.getLong("seed", 0);
        long seed = chosen == 0 ? new Random().nextLong() : chosen;
        System.out.println("random faults with -Dseed=" + seed);
        double before = counted(scene);
        List<RandomPeer> peers = new ArrayList<>();
        List<Future<Integer>> running = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            int port = scene.proxy().lrwpPort();
            Random choices = new Random(seed + i);
            RandomPeer peer =
                    i < serial
                            ? new FaultyPeer(port, "faults", choices, executions)
                            : new FaultyStreamPeer(port, "faults", choices, executions);
            peers.add(peer);
            running.add(scene.meanwhile(() -> peer.run(over)));
        }
        List<Future<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            String name = "c" + i;
            Random random = new Random(seed - 1 - i);
            clients.add(scene.meanwhile(() -> client(scene, name, random)));
        }
        try {
            Wait.pass(Duration.ofSeconds(Long.getLong("fault.seconds", seconds)));
        } finally {
            over.set(true);
        }
        int requests = 0;
        for (Future<Integer> client : clients) {
            requests += client.get();
        }
        for (Future<Integer> peer : running) {
            peer.get();
        }
        judge(peers, requests);
        // A client that leaves at once may do so before anybody has read its request.
        long left = outcomes.values().stream().filter("gone"::equals).count();
        int sent = requests;
        Wait.require(
                "each request is counted once",
                SOON,
                () -> {
                    double more = counted(scene) - before;
                    return more <= sent && more >= sent - left;
                });
    }

    private static double counted(Scene scene) throws IOException {
        return MetricsText.of(scene.proxy()).sum("lrwp_requests_total", "context=\"/faults\"");
    }

    private int client(Scene scene, String name, Random random) throws Exception {
        int count = 0;
        RawHttp connection = RawHttp.to(scene.proxy().httpPort());
        while (!over.get()) {
            String id = name + "-" + count++;
            boolean goesOn;
            try {
                goesOn = request(connection, id, random);
            } catch (SocketTimeoutException e) {
                outcomes.put(id, "no answer");
                goesOn = false;
            } catch (IOException e) {
                outcomes.put(id, "cut");
                goesOn = false;
            }
            if (!goesOn || connection.isToldToClose()) {
                connection.close();
                connection = RawHttp.to(scene.proxy().httpPort());
            }
        }
        connection.close();
        return count;
    }

    /** One request; whether the connection can have another. */
    private boolean request(RawHttp connection, String id, Random random) throws IOException {
        String method = List.of("GET", "POST", "POST", "PUT").get(random.nextInt(4));
        int most = random.nextInt(20) == 0 ? 300_000 : 3000;
        int length = method.equals("GET") ? 0 : random.nextInt(most);
        methods.put(id, method);
        connection.send(method, "/faults/x", new byte[length], "X-Id: " + id);
        if (random.nextInt(12) == 0) {
            outcomes.put(id, "gone");
            return false;
        }
        HttpAnswer answer = connection.answer();
        if (answer.status() == 200) {
            boolean right = answer.text().equals(RandomPeer.text(id, length));
            outcomes.put(id, right ? "right" : "WRONG " + answer);
        } else {
            boolean expected = ERRORS.contains(answer.status());
            outcomes.put(id, expected ? "" + answer.status() : "WRONG " + answer);
        }
        return true;
    }

    private void judge(List<RandomPeer> peers, int requests) {
        assertEquals(requests, outcomes.size());
        Map<String, Integer> counts = new TreeMap<>();
        List<String> faults = new ArrayList<>();
        outcomes.forEach(
                (id, outcome) -> {
                    counts.merge(outcome, 1, Integer::sum);
                    AtomicInteger seen = executions.get(id);
                    int executed = seen == null ? 0 : seen.get();
                    int most = "POST".equals(methods.get(id)) ? 1 : 2;
                    boolean begun = peers.stream().anyMatch(peer -> peer.cuts().containsKey(id));
                    if (executed > most
                            || (outcome.equals("right") && executed == 0)
                            || (outcome.equals("cut") && !begun)
                            || outcome.equals("no answer")
                            || outcome.startsWith("WRONG")) {
                        faults.add(methods.get(id) + " " + id + " x" + executed + ": " + outcome);
                    }
                });
        System.out.println("outcomes of " + requests + " requests: " + counts);
        assertEquals(List.of(), faults);
        assertTrue(counts.getOrDefault("right", 0) > requests / 3, counts.toString());
    }
}
