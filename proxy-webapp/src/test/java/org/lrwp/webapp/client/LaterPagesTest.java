package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.client.OwnPages.Answer;
import org.lrwp.webapp.client.OwnPages.Question;

import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

final class LaterPagesTest {
    private static final byte[] BODY = {'o', 'k'};

    private static Question question() throws BadRequestException {
        InetAddress here = InetAddress.getLoopbackAddress();
        var ends = new ClientConnection(here, 1, here.getHostAddress(), 2, false);
        RequestHead head =
                new RequestHead.Draft("GET", "/-/", "HTTP/1.1", ends)
                        .field("Host", "localhost")
                        .check();
        return new Question(head, "/-/", new byte[0]);
    }

    private static CompletableFuture<Answer> later(Answer answer) {
        return Objects.requireNonNull(answer.later());
    }

    @Test
    void aPageIsMadeOnAnotherThread() throws Exception {
        var maker = new AtomicReference<>(Thread.currentThread());
        var goOn = new CountDownLatch(1);
        try (var pages =
                new LaterPages(
                        asked -> {
                            maker.set(Thread.currentThread());
                            await(goOn);
                            return Answer.of(200, "text/plain", BODY);
                        })) {
            Answer answer = pages.answer(question());

            assertFalse(later(answer).isDone());
            goOn.countDown();
            assertArrayEquals(BODY, later(answer).get().body());
            assertNotEquals(Thread.currentThread(), maker.get());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatIsAskedOfOtherNodesIsTheAnswerItself() throws Exception {
        var others = new CompletableFuture<Answer>();
        try (var pages = new LaterPages(asked -> Answer.of(others))) {
            Answer answer = pages.answer(question());

            others.complete(Answer.of(202, "text/plain", BODY));

            assertEquals(202, later(answer).get().status());
        }
    }

    @Test
    void aFaultOfAPageIsToldToWhoeverAsked() throws Exception {
        try (var pages =
                new LaterPages(
                        asked -> {
                            throw new IllegalStateException("broken page");
                        })) {
            CompletableFuture<Answer> answer = later(pages.answer(question()));

            assertThrows(CompletionException.class, answer::join);
        }
    }
}
