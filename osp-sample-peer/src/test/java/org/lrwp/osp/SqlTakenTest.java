package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.cdr.CdrDatabase;
import org.lrwp.osp.replay.TakenOnce.Kind;
import org.lrwp.osp.replay.TakenOnce.Outcome;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Servers that share a database take a thing once between them. */
final class SqlTakenTest {
    @TempDir Path folder = Path.of("");

    private final List<String> log = new CopyOnWriteArrayList<>();
    private volatile Instant now = Instant.parse("2026-11-25T12:00:00Z");

    private SqlTaken open(int most) {
        String url = "jdbc:sqlite:" + folder.resolve("osp.db");
        return new SqlTaken(new CdrDatabase.Address(url, "", ""), most, () -> now, log::add);
    }

    private Outcome take(SqlTaken taken, String content) {
        return taken.take(
                Kind.TOKEN, content.getBytes(StandardCharsets.US_ASCII), now.plusSeconds(660));
    }

    @Test
    void whatOneServerHasTakenTheOtherTakesNoMore() {
        try (SqlTaken one = open(10);
                SqlTaken other = open(10)) {
            assertEquals(Outcome.FIRST, take(one, "a"));
            assertEquals(Outcome.AGAIN, take(other, "a"));
            assertEquals(Outcome.FIRST, take(other, "b"));
            assertEquals(Outcome.AGAIN, take(one, "b"));
            assertEquals(
                    Outcome.FIRST, one.take(Kind.COMPONENT, new byte[] {'a'}, now.plusSeconds(9)));
        }
        try (SqlTaken again = open(10)) {
            assertEquals(Outcome.AGAIN, take(again, "a"));
        }
        assertEquals(List.of(), log);
    }

    @Test
    void whatIsOverIsForgottenAndMakesRoom() {
        try (SqlTaken taken = open(1)) {
            assertEquals(Outcome.FIRST, take(taken, "a"));
            assertEquals(Outcome.NOT_KEPT, take(taken, "b"));
            now = now.plus(Duration.ofMinutes(10));
            assertEquals(Outcome.NOT_KEPT, take(taken, "b"));
            now = now.plus(Duration.ofMinutes(6));
            assertEquals(Outcome.FIRST, take(taken, "b"));
        }
    }

    @Test
    void whatTheDatabaseDoesNotTakeDoesNotCount() throws Exception {
        Files.createDirectory(folder.resolve("osp.db"));
        try (SqlTaken taken = open(10)) {
            assertEquals(Outcome.NOT_KEPT, take(taken, "a"));
            assertTrue(log.getFirst().startsWith("taken-failed reason="), log::toString);
            Files.delete(folder.resolve("osp.db"));
            assertEquals(Outcome.FIRST, take(taken, "a"));
        }
    }

    @Test
    void ofManyWhoShowTheSameAtOnceOneIsFirst() throws Exception {
        List<Future<Outcome>> outcomes = new ArrayList<>();
        try (SqlTaken one = open(100);
                SqlTaken other = open(100);
                ExecutorService gateways = Executors.newVirtualThreadPerTaskExecutor()) {
            take(one, "first");
            take(other, "first");
            for (int i = 0; i < 40; i++) {
                SqlTaken shown = i % 2 == 0 ? one : other;
                outcomes.add(gateways.submit(() -> take(shown, "a")));
            }
            int first = 0;
            for (Future<Outcome> each : outcomes) {
                first += each.get() == Outcome.FIRST ? 1 : 0;
            }
            assertEquals(1, first, log::toString);
        }
    }
}
