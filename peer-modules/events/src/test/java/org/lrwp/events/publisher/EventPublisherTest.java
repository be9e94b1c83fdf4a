package org.lrwp.events.publisher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.lrwp.testkit.LoopbackServer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

class EventPublisherTest {
    private final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private volatile String id = "7.3";

    @AutoClose private final LoopbackServer server = LoopbackServer.start(this::answer);

    @AutoClose
    private final EventPublisher publisher =
            EventPublisher.to(server.url("/events/"))
                    .withTrials(
                            new EventPublisher.Trials(
                                    3, Duration.ofSeconds(20), Duration.ofMillis(1)));

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        seen.add(
                exchange.getRequestURI()
                        + " "
                        + exchange.getRequestHeaders().getFirst("Content-Type")
                        + " "
                        + exchange.getRequestHeaders().getFirst("Authorization")
                        + " "
                        + new String(body, StandardCharsets.UTF_8)
                        + " "
                        + exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        Integer status = statuses.poll();
        int code = status == null ? 201 : status;
        if (code == 0) {
            exchange.close();
            return;
        }
        byte[] answer =
                (code == 201 ? "{\"id\":\"" + id + "\"}" : "no\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private static String id(CompletableFuture<String> published) throws Exception {
        return published.get(20, TimeUnit.SECONDS);
    }

    private static NotPublishedException refusal(CompletableFuture<String> published) {
        var failure = assertThrows(ExecutionException.class, () -> id(published));
        return assertInstanceOf(NotPublishedException.class, failure.getCause());
    }

    @Test
    void eventIsPublishedAsWhatItIs() throws Exception {
        assertEquals("7.3", id(publisher.publish("a", "x y")));
        assertEquals("7.3", id(publisher.publishJson("b", "{}")));
        assertEquals("7.3", id(publisher.withSecret("s").publish(List.of("a", "b"), "z")));

        assertEquals(
                List.of(
                        "/events/a text/plain; charset=utf-8 null x y",
                        "/events/b application/json null {}",
                        "/events/a,b text/plain; charset=utf-8 Bearer s z"),
                seen.stream().map(one -> one.substring(0, one.lastIndexOf(' '))).toList());
    }

    @Test
    void idOfAClusterIsReadWhole() throws Exception {
        id = "1764201600000.3@node-1.mifz5a.3,node_2.mifz6b.12";

        assertEquals(id, id(publisher.publish("a", "x")));
        assertEquals(1, seen.size());
    }

    @Test
    void whatHadNoAnswerIsSentAgainWithTheSameKey() throws Exception {
        statuses.addAll(List.of(503, 502));

        assertEquals("7.3", id(publisher.publish("a", "x")));

        assertEquals(3, seen.size());
        assertEquals(1, seen.stream().distinct().count());
    }

    @Test
    void refusalIsTheEnd() {
        statuses.add(403);

        assertEquals(403, refusal(publisher.publish("a", "x")).status());
        assertEquals(1, seen.size());
    }

    @Test
    void trialsHaveAnEnd() {
        statuses.addAll(List.of(503, 0, 503, 503));

        assertEquals(503, refusal(publisher.publish("a", "x")).status());
    }

    @Test
    void serverThatIsNotThereIsToldAsSuch() {
        server.close();

        assertEquals(0, refusal(publisher.publish("a", "x")).status());
    }
}
