package org.lrwp.osp.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.replay.TakenOnce.Kind;
import org.lrwp.osp.replay.TakenOnce.Outcome;
import org.lrwp.osp.testkit.Tokens;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

final class TakenFilesTest {
    @TempDir Path folder = Path.of("");

    private Instant now = Tokens.NOW;

    @Test
    void aThingIsTakenOnceAndOthersAreToo() throws Exception {
        try (TakenFiles taken = open(10)) {
            assertEquals(Outcome.FIRST, take(taken, "a"));
            assertEquals(Outcome.AGAIN, take(taken, "a"));
            assertEquals(Outcome.FIRST, take(taken, "b"));
            assertEquals(
                    Outcome.FIRST, taken.take(Kind.COMPONENT, bytes("a"), now.plusSeconds(660)));
        }
    }

    @Test
    void whatWasTakenIsKnownAfterARestart() throws Exception {
        try (TakenFiles taken = open(10)) {
            take(taken, "a");
        }
        // As a kill would: nothing is closed.
        TakenFiles killed = open(10);
        take(killed, "b");

        try (TakenFiles taken = open(10)) {
            assertEquals(Outcome.AGAIN, take(taken, "a"));
            assertEquals(Outcome.AGAIN, take(taken, "b"));
            assertEquals(Outcome.FIRST, take(taken, "c"));
        }
        killed.close();
    }

    @Test
    void aHalfWrittenIdSpoilsNothing() throws Exception {
        try (TakenFiles taken = open(10)) {
            take(taken, "a");
        }
        Files.write(files().getFirst(), new byte[7], StandardOpenOption.APPEND);

        try (TakenFiles taken = open(10)) {
            assertEquals(Outcome.FIRST, take(taken, "b"));
        }
        try (TakenFiles taken = open(10)) {
            assertEquals(Outcome.AGAIN, take(taken, "a"));
            assertEquals(Outcome.AGAIN, take(taken, "b"));
        }
    }

    @Test
    void whatIsOverIsForgottenWithItsFileAndMakesRoom() throws Exception {
        try (TakenFiles taken = open(1)) {
            assertEquals(Outcome.FIRST, take(taken, "a"));
            assertEquals(Outcome.NOT_KEPT, take(taken, "b"));
            now = now.plus(Duration.ofMinutes(11));
            assertEquals(
                    Outcome.AGAIN, taken.take(Kind.TOKEN, bytes("a"), Tokens.NOW.plusSeconds(660)));
            now = now.plus(Duration.ofMinutes(5));

            assertEquals(Outcome.FIRST, take(taken, "b"));
            assertEquals(1, files().size());
        }
    }

    /** Its thread is interrupted then, which would close a channel for all. */
    @Test
    void aRequestThatIsCancelledStopsNobodyElse() throws Exception {
        try (TakenFiles taken = open(10)) {
            take(taken, "a");
            Thread.currentThread().interrupt();
            assertEquals(Outcome.FIRST, take(taken, "b"));
            assertTrue(Thread.interrupted());

            assertEquals(Outcome.FIRST, take(taken, "c"));
            assertEquals(Outcome.AGAIN, take(taken, "b"));
        }
    }

    @Test
    void whatTheDiskDoesNotTakeDoesNotCount() throws Exception {
        List<String> log = new ArrayList<>();
        Path file = folder.resolve("taken");
        try (TakenFiles taken = new TakenFiles(file, 10, () -> now, log::add)) {
            Files.delete(file);

            assertEquals(Outcome.NOT_KEPT, take(taken, "a"));
            assertTrue(log.getFirst().startsWith("taken-failed reason="), log::toString);
            Files.createDirectory(file);
            assertEquals(Outcome.FIRST, take(taken, "a"));
        }
    }

    @Test
    void ofManyWhoShowTheSameAtOnceOneIsFirst() throws Exception {
        List<Future<Outcome>> outcomes = new ArrayList<>();
        try (TakenFiles taken = open(100);
                ExecutorService gateways = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                outcomes.add(gateways.submit(() -> take(taken, "a")));
            }
            int first = 0;
            for (Future<Outcome> each : outcomes) {
                first += each.get() == Outcome.FIRST ? 1 : 0;
            }
            assertEquals(1, first);
        }
        assertEquals(16, Files.size(files().getFirst()));
    }

    private Outcome take(TakenFiles taken, String content) {
        return taken.take(Kind.TOKEN, bytes(content), now.plusSeconds(660));
    }

    private TakenFiles open(int most) throws IOException {
        return new TakenFiles(folder.resolve("taken"), most, () -> now, line -> {});
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("taken"))) {
            return files.toList();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
