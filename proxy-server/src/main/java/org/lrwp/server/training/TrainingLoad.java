package org.lrwp.server.training;

import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Peers of LRWP 3 and LRWP 1 and clients for a server that is in its training run: what the server
 * executes for them is what the JVM's start cache has a profile of (JEP 515). {@code ./lrwp} starts
 * it, see docs/performance.md, "Start".
 */
public final class TrainingLoad {
    static final String MULTIPLEXED = "/train";
    static final String SERIAL = "/train-serial";
    private static final int CLIENTS = 100;

    /** With 9,000 requests a start was no faster than without any, with 140,000 it was. */
    private static final int REQUESTS = 150_000;

    /** Of the container. */
    private static final int PAGES = 300;

    /** On a machine that has no time for it the profile is of fewer requests. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private TrainingLoad() {}

    /**
     * Sends the load, and prints how many answers there were of each status.
     *
     * @param arguments the server's HTTP port and its LRWP port, both at 127.0.0.1
     * @throws IOException when the server could not be reached or did not answer
     * @throws InterruptedException when the thread is interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int http = Integer.parseInt(arguments[0]);
        int lrwp = Integer.parseInt(arguments[1]);
        askContainer(http);
        System.out.println(send(http, lrwp, CLIENTS, REQUESTS, LONGEST));
    }

    /** Has the container start, and answer. */
    private static void askContainer(int http) throws IOException {
        var requests = new TrainingRequests(0);
        try (var client = new TrainingClient(http)) {
            for (int i = 0; i < PAGES; i++) {
                client.ask(requests.get("/"));
            }
        }
    }

    /**
     * Sends requests until each client has sent its share, or the time is over. Blocks.
     *
     * @param http the server's HTTP port
     * @param lrwp its LRWP port
     * @param clients how many send requests at the same time
     * @param requests how many, of all clients together
     * @param longest how long at most
     * @return how many answers there were of each status
     * @throws IOException when the server could not be reached or did not answer
     * @throws InterruptedException when the thread is interrupted
     */
    public static Map<Integer, Integer> send(
            int http, int lrwp, int clients, int requests, Duration longest)
            throws IOException, InterruptedException {
        try (LrwpPeer multiplexed = peer(lrwp, MULTIPLEXED, ProtocolVersion.LRWP_3, clients);
                LrwpPeer serial = peer(lrwp, SERIAL, ProtocolVersion.LRWP_1, clients)) {
            if (!multiplexed.awaitRegistered(PATIENCE) || !serial.awaitRegistered(PATIENCE)) {
                throw new IOException("the peers did not register in " + PATIENCE);
            }
            long end = System.nanoTime() + longest.toNanos();
            return sum(clients(http, clients, requests / clients, end));
        }
    }

    private static LrwpPeer peer(
            int port, String context, ProtocolVersion version, int concurrency) {
        return LrwpPeer.builder()
                .proxy("127.0.0.1:" + port)
                .context(context)
                .concurrency(concurrency)
                .versions(version, version)
                .handler(TrainingLoad::answer)
                .listener(event -> {})
                .connect();
    }

    private static PeerResponse answer(PeerRequest request) throws IOException {
        int length = request.body().readAllBytes().length;
        return PeerResponse.text(200, "x".repeat(500 + length % 1000));
    }

    private static List<Callable<Map<Integer, Integer>>> clients(
            int port, int count, int requests, long end) {
        List<Callable<Map<Integer, Integer>>> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var messages = new TrainingRequests(i);
            clients.add(
                    () -> {
                        try (var client = new TrainingClient(port)) {
                            return client.send(messages, requests, end);
                        }
                    });
        }
        return clients;
    }

    private static Map<Integer, Integer> sum(List<Callable<Map<Integer, Integer>>> clients)
            throws IOException, InterruptedException {
        Map<Integer, Integer> all = new TreeMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients.size())) {
            for (Future<Map<Integer, Integer>> client : threads.invokeAll(clients)) {
                client.get().forEach((status, count) -> all.merge(status, count, Integer::sum));
            }
        } catch (ExecutionException e) {
            throw new IOException("a client could not go on: " + e.getCause(), e);
        }
        return all;
    }
}
