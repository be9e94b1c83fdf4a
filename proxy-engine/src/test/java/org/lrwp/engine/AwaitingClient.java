package org.lrwp.engine;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.testkit.TestEngine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client whose answer a test can wait for. Thread-safe. */
final class AwaitingClient implements Client {
    private static final long PATIENCE_SECONDS = 20;

    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final CompletableFuture<Exchange> exchange = new CompletableFuture<>();
    private final StringBuilder read = new StringBuilder();

    /** Posts to the context of {@code /osp}, which has to be registered. */
    static AwaitingClient asking(ProxyEngine engine, String body) {
        ContextMatch match = engine.match("", "/osp/x");
        assertNotNull(match);
        var request =
                new ExchangeRequest(
                        "r1",
                        "POST",
                        "/osp/x",
                        "192.0.2.1",
                        (block, length, upgrade) -> TestEngine.frameHead("r1", length));
        var client = new AwaitingClient();
        var opened = engine.open(match, request, client);
        client.of(opened);
        opened.body().receive(TestEngine.bytes(body));
        opened.body().whole();
        return client;
    }

    void of(Exchange opened) {
        exchange.complete(opened);
    }

    @Override
    public void answer(AnswerHead head, Spool body) {
        body.onReady(() -> pull(head, body));
        pull(head, body);
    }

    private synchronized void pull(AnswerHead head, Spool body) {
        ByteBuffer next = body.poll();
        while (next != null) {
            read.append(StandardCharsets.ISO_8859_1.decode(next));
            next = body.poll();
        }
        if (body.ending() == BodyEnding.COMPLETE && result.complete(head.status() + " " + read)) {
            var _ = exchange.thenAccept(Exchange::delivered);
        } else if (body.ending() == BodyEnding.BROKEN && result.complete("cut " + read)) {
            var _ = exchange.thenAccept(opened -> opened.clientGone(Failure.CLIENT_GONE));
        }
    }

    @Override
    public void fail(Failure failure) {
        if (!result.complete(failure.status() + " " + failure.word())) {
            throw new AssertionError("a second answer: " + failure);
        }
    }

    /** Status and body, or status and reason word, or {@code cut} and what came before. */
    String awaited() {
        return result.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    /** The same, null when nothing has come so far. */
    @Nullable String soFar() {
        return result.getNow(null);
    }
}
