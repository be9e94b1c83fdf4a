package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

/** What goes together, and what becomes of it where it cannot go. */
class PackerTest {
    private static final long INTERVAL = 3000;

    private final Queue<Runnable> round = new ArrayDeque<>();
    private final List<String> sent = new ArrayList<>();
    private final List<String> unsent = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final Queue<Delayed> delayed = new ArrayDeque<>();
    private final Packer packer =
            new Packer(
                    new Packer.Pace(
                            INTERVAL,
                            now::get,
                            (nanos, task) -> delayed.add(new Delayed(nanos, task))),
                    round::add,
                    unsent::add);
    private boolean refuses;

    /** What is to run later. */
    private record Delayed(long nanos, Runnable task) {}

    /** Writes down what is sent: where, how many in one, where answers go. */
    private final class Line implements Bus {
        @Override
        public boolean send(String subject, @Nullable String answers, byte[] bytes) {
            int messages =
                    Wire.read(bytes) instanceof Message.Pack pack ? pack.messages().size() : 1;
            sent.add(subject + " x" + messages + (answers == null ? "" : " > " + answers));
            return !refuses;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void use() {
        packer.use(new Line());
    }

    private void endRound() {
        for (Runnable next = round.poll(); next != null; next = round.poll()) {
            next.run();
        }
    }

    private boolean request(String word) {
        return packer.send("b.rq", "a.an." + word, new Message.Failed("x".repeat(1000)));
    }

    @Test
    void whatIsGivenInOneRoundGoesTogetherAtItsEnd() {
        assertTrue(request("1"));
        assertTrue(request("2"));
        packer.send("c.an.7", new Message.Busy(0));
        packer.send("c.an.8", new Message.Busy(0));
        packer.send("d.an.9", new Message.Busy(0));
        assertEquals(List.of(), sent);

        endRound();

        assertEquals(
                List.of("b.rq x2 > a.an.1+2", "c.an.7+8 x2", "d.an.9 x1"),
                sent.stream().sorted().toList());
        assertEquals(List.of("a.an.1", "a.an.2"), Packer.names("a.an.1+2"));
    }

    @Test
    void aRoundHasNothingOfTheOneBefore() {
        request("1");
        endRound();
        request("2");
        request("3");
        endRound();

        assertEquals(List.of("b.rq x1 > a.an.1", "b.rq x2 > a.an.2+3"), sent);
    }

    private void some() {
        for (int i = 0; i < Packer.SOME; i++) {
            request("" + i);
        }
        endRound();
        assertEquals(List.of("b.rq x4 > a.an.0+1+2+3"), sent);
        sent.clear();
    }

    @Test
    void behindAPackWithSomeTheNextWaitsForMore() {
        some();

        now.addAndGet(1000);
        request("4");
        endRound();
        packer.round(() -> request("5"));
        request("6");

        assertEquals(List.of(), sent);
        assertTrue(round.isEmpty());
        assertEquals(1, delayed.size(), "one waits for all");
        assertEquals(INTERVAL - 1000, delayed.peek().nanos);
        delayed.remove().task.run();
        assertEquals(List.of("b.rq x3 > a.an.4+5+6"), sent);
    }

    @Test
    void behindAPackWithFewTheNextGoesAtOnce() {
        some();
        request("4");
        delayed.remove().task.run();
        now.addAndGet(INTERVAL);

        request("5");
        endRound();
        packer.round(() -> request("6"));

        assertEquals(List.of("b.rq x1 > a.an.4", "b.rq x1 > a.an.5", "b.rq x1 > a.an.6"), sent);
    }

    @Test
    void longAfterAPackTheNextGoesAtOnce() {
        some();
        now.addAndGet(INTERVAL);

        packer.round(() -> request("4"));

        assertEquals(List.of("b.rq x1 > a.an.4"), sent);
    }

    @Test
    void whatWaitsGoesWithWhatMustNotOvertakeIt() {
        some();
        request("4");
        packer.sendBehind("b.ctl", new Message.Cancel("a.an.4"));
        assertEquals(List.of("b.rq x1 > a.an.4", "b.ctl x1"), sent);

        delayed.remove().task.run();
        assertEquals(2, sent.size());
    }

    @Test
    void packHasItsBounds() {
        for (int i = 0; i < Packer.MOST + 1; i++) {
            packer.send("c.an." + i, new Message.Busy(0));
        }
        assertEquals(1, sent.size(), "a full one goes at once");
        for (int i = 0; i < 100; i++) {
            request("" + i);
        }
        endRound();

        for (String one : sent) {
            int subject = one.indexOf(" x") + 2;
            int count = Integer.parseInt(one.substring(subject).split(" ", -1)[0]);
            assertTrue(count <= (one.startsWith("b") ? Packer.MOST_BYTES / 1000 : Packer.MOST));
        }
    }

    @Test
    void nothingOvertakesWhatWasGivenBefore() {
        request("1");
        packer.sendBehind("b.ctl", new Message.Cancel("a.an.1"));
        assertEquals(List.of("b.rq x1 > a.an.1", "b.ctl x1"), sent);
    }

    @Test
    void busThreadSendsAtTheEndOfItsMessage() {
        packer.round(
                () -> {
                    request("1");
                    request("2");
                    assertEquals(List.of(), sent);
                });
        assertEquals(List.of("b.rq x2 > a.an.1+2"), sent);
        assertTrue(round.isEmpty(), "no other thread has to do it");
    }

    @Test
    void eachOfAPackThatIsNotTakenIsTold() {
        refuses = true;
        request("1");
        request("2");
        endRound();
        assertEquals(List.of("a.an.1", "a.an.2"), unsent);
    }

    @Test
    void nothingOfBeforeGoesByANewBus() {
        request("1");
        packer.stop();
        assertFalse(request("2"));
        packer.use(new Line());
        endRound();
        assertEquals(List.of(), sent);

        request("3");
        endRound();
        assertEquals(List.of("b.rq x1 > a.an.3"), sent);
    }
}
