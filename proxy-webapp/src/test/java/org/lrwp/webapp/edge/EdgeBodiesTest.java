package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;

import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Bodies in memory that requests use one after the other: each peer gets those of its own. */
class EdgeBodiesTest extends EdgeListener {
    private static final int CLIENTS = 6;
    private static final int ROUNDS = 60;
    private static final int AT_ONCE = MOST_REQUESTS - 1;

    private @Nullable LrwpPeer peer;

    private void echo() throws Exception {
        peer =
                LrwpPeer.builder()
                        .proxy("127.0.0.1:" + engine.agentAddress().getPort())
                        .context("/peer")
                        .concurrency(4)
                        .handler(
                                request ->
                                        PeerResponse.of(
                                                "text/plain", request.body().readAllBytes()))
                        .connect();
        while (engine.status().peers().stream().noneMatch(one -> one.capacity() > 0)) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void leave() {
        LrwpPeer known = peer;
        if (known != null) {
            known.close();
        }
    }

    @Test
    void eachAnswerHasTheBodyOfItsRequestBesideOthersThatLeave() throws Exception {
        echo();
        List<Callable<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            var choices = new Random(i);
            clients.add(() -> ask(choices));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> done : threads.invokeAll(clients)) {
                done.get();
            }
        }
    }

    /** Some requests in a row on a connection, then one whose client does not wait. */
    private @Nullable Void ask(Random choices) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (Socket client = client()) {
                for (int i = 0; i < AT_ONCE; i++) {
                    String body = body(choices);
                    send(client, post("/peer/x", body));
                    String head = upTo(client, "\r\n\r\n");
                    assertEquals("HTTP/1.1 200 OK", head.lines().findFirst().orElse(""));
                    assertEquals(body, upTo(client, body));
                }
                send(client, post("/peer/x", body(choices)));
            }
        }
        return null;
    }

    private static String body(Random choices) {
        String letter = String.valueOf((char) ('a' + choices.nextInt(26)));
        return letter.repeat(1 + choices.nextInt(MOST_BODY - 20)) + choices.nextInt();
    }
}
