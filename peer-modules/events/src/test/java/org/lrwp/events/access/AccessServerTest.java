package org.lrwp.events.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.lrwp.events.access.AccessServer.Word;
import org.lrwp.testkit.HalfAnswer;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.LoopbackServer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class AccessServerTest {
    private final Map<String, String> seen = new ConcurrentHashMap<>();
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @AutoClose
    private final LoopbackServer other =
            LoopbackServer.start(
                    exchange -> {
                        exchange.getRequestHeaders()
                                .forEach((name, values) -> seen.put(name, values.getFirst()));
                        String path = exchange.getRequestURI().getPath();
                        if (path.equals("/slow")) {
                            await();
                        }
                        exchange.sendResponseHeaders(path.equals("/no") ? 403 : 204, -1);
                        exchange.close();
                    });

    private void await() {
        try {
            mayAnswer.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private AccessServer asks(String path, Duration timeout, int most) {
        return new AccessServer(other.url(path), timeout, most);
    }

    private static CompletableFuture<Word> ask(AccessServer server, Head head) {
        CompletableFuture<Word> word = new CompletableFuture<>();
        server.ask(head, Action.SUBSCRIBE, "a,b", word::complete);
        return word;
    }

    private static Word answer(CompletableFuture<Word> word) throws Exception {
        return word.get(20, TimeUnit.SECONDS);
    }

    @Test
    void statusIsTheAnswer() throws Exception {
        try (AccessServer yes = asks("/yes", Duration.ofSeconds(20), 9);
                AccessServer no = asks("/no", Duration.ofSeconds(20), 9)) {
            assertEquals(Word.YES, answer(ask(yes, Head.get("/a"))));
            assertEquals(Word.NO, answer(ask(no, Head.get("/a"))));
        }
    }

    @Test
    void otherServerSeesWhoAsksForWhat() throws Exception {
        Head head =
                Head.get("/a,b?since=oldest")
                        .with("Authorization", "Bearer x")
                        .with("Cookie", "session=7")
                        .from("192.0.2.9");
        try (AccessServer server = asks("/yes", Duration.ofSeconds(20), 9)) {
            assertEquals(Word.YES, answer(ask(server, head)));
        }

        assertEquals("Bearer x", seen.get("Authorization"));
        assertEquals("session=7", seen.get("Cookie"));
        assertEquals("GET", seen.get("X-original-method"));
        assertEquals("a,b", seen.get("X-channels"));
        assertEquals("/context/a,b?since=oldest", seen.get("X-original-uri"));
        assertEquals("192.0.2.9", seen.get("X-remote-address"));
    }

    @Test
    void silenceIsNoAnswerAndSoIsTooManyQuestions() throws Exception {
        try (AccessServer server = asks("/slow", Duration.ofMillis(300), 1)) {
            CompletableFuture<Word> first = ask(server, Head.get("/a"));
            assertEquals(Word.NONE, answer(ask(server, Head.get("/a"))));
            assertEquals(Word.NONE, answer(first));
            // The place is free again.
            mayAnswer.countDown();
            assertEquals(Word.YES, answer(ask(server, Head.get("/a"))));
        }
    }

    @Test
    void answerThatIsNotWholeInTimeIsNone() throws Exception {
        try (HalfAnswer half = HalfAnswer.start();
                AccessServer server =
                        new AccessServer(half.url("/half"), Duration.ofMillis(300), 1)) {
            assertEquals(Word.NONE, answer(ask(server, Head.get("/a"))));
            assertTrue(half.awaitGivenUp());
            // The place is free again: the other server is asked.
            assertEquals(Word.NONE, answer(ask(server, Head.get("/a"))));
            assertTrue(half.awaitGivenUp());
        }
    }

    @Test
    void serverThatIsNotThereIsNoAnswer() throws Exception {
        try (AccessServer server = asks("/yes", Duration.ofSeconds(20), 9)) {
            other.close();
            assertEquals(Word.NONE, answer(ask(server, Head.get("/a"))));
        }
    }

    @Test
    void endAnswersWhatIsUnderWay() throws Exception {
        AccessServer server = asks("/slow", Duration.ofSeconds(20), 9);
        CompletableFuture<Word> word = ask(server, Head.get("/a"));
        server.close();

        assertEquals(Word.NONE, answer(word));
        assertEquals(Word.NONE, answer(ask(server, Head.get("/a"))));
    }
}
