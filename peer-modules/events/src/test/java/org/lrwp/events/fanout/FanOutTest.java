package org.lrwp.events.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.events.channel.Channel;
import org.lrwp.events.channel.Publication;
import org.lrwp.events.event.EventId;
import org.lrwp.events.event.Form;
import org.lrwp.events.testkit.Scene;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.RecordedExchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** Everything a client may do, on a clock that the test moves and without a thread. */
class FanOutTest {
    private static final long POLL_NANOS = 25_000_000_000L;

    private final FanOutCounters counters = new FanOutCounters();
    private Scene scene = new Scene();
    private FanOut fanOut = fanOut();
    private int ended;

    private FanOut fanOut() {
        return new FanOut(
                scene.channels, scene.policy::fanOut, counters, scene::now, new Random(3), 2);
    }

    private void set(String... settings) {
        scene = new Scene(settings);
        fanOut = fanOut();
    }

    private RecordedExchange wait(Form form, long position, String... names) {
        return wait(form, position, null, false, names);
    }

    private RecordedExchange wait(
            Form form, long position, @Nullable EventId asked, boolean oldest, String... names) {
        RecordedExchange client = new RecordedExchange(Head.get("/" + String.join(",", names)));
        List<Channel> entered = Objects.requireNonNull(scene.channels.enter(List.of(names)));
        fanOut.subscribe(
                new Subscription(
                        new Subscription.Start(
                                client,
                                form,
                                entered,
                                List.of(),
                                position,
                                null,
                                asked,
                                oldest,
                                POLL_NANOS),
                        () -> {
                            ended++;
                            scene.channels.leave(entered);
                        }));
        return client;
    }

    private void publish(String text, String... names) {
        if (scene.publish(text, names) instanceof Publication.Done(var id, var changed)) {
            fanOut.published(changed);
        }
        fanOut.round();
    }

    private void pass(Duration time) {
        scene.pass(time);
        fanOut.round();
    }

    @Test
    void waitingClientsGetTheEventInTheirForm() {
        RecordedExchange poll = wait(Form.POLL, 0, "a");
        RecordedExchange lines = wait(Form.LINES, 0, "a");
        RecordedExchange stream = wait(Form.EVENT_STREAM, 0, "a");
        RecordedExchange other = wait(Form.POLL, 0, "b");
        stream.takeText();

        publish("x", "a");

        assertEquals("[{\"id\":\"7.1\",\"data\":\"x\"}]\n", poll.text());
        assertEquals("complete", poll.end());
        assertEquals("7.1", poll.header("Last-Event-ID"));
        assertEquals("\n{\"id\":\"7.1\",\"data\":\"x\"}\n", lines.text());
        assertEquals("id: 7.1\ndata: x\n\n", stream.text());
        assertFalse(stream.isOver());
        assertEquals(0, other.status());
        assertEquals(1, ended);
    }

    @Test
    void whoDoesNotKeepUpGetsEventByEvent() {
        RecordedExchange slow = wait(Form.EVENT_STREAM, 0, "a");
        slow.stall();
        publish("1", "a");
        publish("2", "a");
        publish("3", "a");
        slow.takeText();
        slow.takeAgain();
        slow.stall();
        fanOut.round();
        assertEquals("id: 7.2\ndata: 2\n\n", slow.takeText());
        slow.takeAgain();
        fanOut.round();
        assertEquals("id: 7.3\ndata: 3\n\n", slow.takeText());
    }

    @Test
    void streamSaysAtOnceWhereItBegins() {
        scene.publish("x", "a");

        String text = wait(Form.EVENT_STREAM, 1, "a").text();

        assertTrue(text.matches("retry: [0-9]{4}\nid: 7.1\n\n"), text);
    }

    @Test
    void whoComesLaterGetsWhatIsThereAtOnce() {
        for (int i = 1; i <= 3; i++) {
            scene.publish("x" + i, "a");
        }

        RecordedExchange poll = wait(Form.POLL, 1, "a");

        assertEquals(
                "[{\"id\":\"7.2\",\"data\":\"x2\"},\n{\"id\":\"7.3\",\"data\":\"x3\"}]\n",
                poll.text());
        assertEquals("7.3", poll.header("Last-Event-ID"));
    }

    @Test
    void clientOfSeveralChannelsIsToldWhichOneAndGetsNoneTwice() {
        RecordedExchange lines = wait(Form.LINES, 0, "a", "b");
        lines.takeText();

        publish("x", "b", "a");
        publish("y", "b");

        assertEquals(
                """
                {"id":"7.1","channel":"a","data":"x"}
                {"id":"7.2","channel":"b","data":"y"}
                """,
                lines.text());
    }

    @Test
    void answersAreLimitedInEventsAndBytes() {
        set("batch-events=3", "batch-size=100");
        for (int i = 0; i < 4; i++) {
            scene.publish("x", "a");
        }
        scene.publish("y".repeat(300), "a");

        assertEquals("7.3", wait(Form.POLL, 0, "a").header("Last-Event-ID"));
        assertEquals("7.4", wait(Form.POLL, 3, "a").header("Last-Event-ID"));
        assertEquals("7.5", wait(Form.POLL, 4, "a").header("Last-Event-ID"));
        String all = wait(Form.LINES, 0, "a").text();
        assertEquals(6, all.lines().count());
    }

    @Test
    void gapIsToldOnceAndWhatIsLeftFollows() {
        set("ring-events=2");
        for (int i = 1; i <= 5; i++) {
            scene.publish("x", "a");
        }

        assertEquals(
                """
                [{"id":"7.3","gap":"7.1"},
                {"id":"7.4","data":"x"},
                {"id":"7.5","data":"x"}]
                """,
                wait(Form.POLL, 1, "a").text());
        assertFalse(wait(Form.POLL, 3, "a").text().contains("gap"));
        assertEquals(1, counters.gaps.sum());
    }

    @Test
    void whoAsksForTheOldestMissesNothing() {
        set("ring-events=2");
        for (int i = 1; i <= 5; i++) {
            scene.publish("x", "a");
        }

        RecordedExchange lines = wait(Form.LINES, 0, null, true, "a");
        assertFalse(lines.text().contains("gap"), lines.text());

        lines.stall();
        publish("x", "a");
        for (int i = 1; i <= 5; i++) {
            publish("x", "a");
        }
        lines.takeAgain();
        fanOut.round();
        assertTrue(lines.text().contains("\"gap\":\"7.6\""), lines.text());
    }

    @Test
    void clientWhoseEventNobodyKnowsIsToldAtOnce() {
        RecordedExchange poll = wait(Form.POLL, 0, new EventId(3, 9), false, "a");

        assertEquals("[{\"id\":\"7.0\",\"gap\":\"3.9\"}]\n", poll.text());
    }

    @Test
    void pollThatGetsNothingEndsWithItsPosition() {
        publish("x", "b");
        RecordedExchange poll = wait(Form.POLL, 1, "a");
        publish("y", "b");

        pass(Duration.ofSeconds(24));
        assertFalse(poll.isOver());
        pass(Duration.ofSeconds(1));

        assertEquals(204, poll.status());
        assertEquals("", poll.text());
        assertEquals(1, ended);
        assertEquals(1, counters.empty.sum());
    }

    @Test
    void silentStreamGetsSignsOfLife() {
        RecordedExchange stream = wait(Form.EVENT_STREAM, 0, "a");
        RecordedExchange lines = wait(Form.LINES, 0, "a");
        stream.takeText();
        lines.takeText();

        pass(Duration.ofSeconds(14));
        assertEquals("", stream.text());
        pass(Duration.ofSeconds(1));

        assertEquals(":\n\n", stream.takeText());
        assertEquals("\n", lines.takeText());
        pass(Duration.ofSeconds(14));
        publish("x", "a");
        stream.takeText();
        pass(Duration.ofSeconds(14));
        assertEquals("", stream.text());
    }

    @Test
    void clientThatTakesNothingCostsNobodyAndIsCut() {
        RecordedExchange slow = wait(Form.EVENT_STREAM, 0, "a");
        RecordedExchange quick = wait(Form.EVENT_STREAM, 0, "a");
        slow.stall();
        slow.takeText();
        quick.takeText();

        publish("1", "a");
        publish("2", "a");
        assertEquals("id: 7.1\ndata: 1\n\n", slow.text());
        assertEquals("id: 7.1\ndata: 1\n\nid: 7.2\ndata: 2\n\n", quick.text());

        pass(Duration.ofSeconds(29));
        assertFalse(slow.isOver());
        pass(Duration.ofSeconds(2));

        assertEquals("the client takes nothing", slow.end());
        assertFalse(quick.isOver());
        assertEquals(1, counters.cut.sum());
        assertEquals(1, ended);
    }

    @Test
    void clientThatTakesAgainGetsTheRest() {
        RecordedExchange slow = wait(Form.EVENT_STREAM, 0, "a");
        slow.stall();
        publish("1", "a");
        publish("2", "a");
        slow.takeText();
        slow.takeAgain();
        fanOut.round();

        assertEquals("id: 7.2\ndata: 2\n\n", slow.text());
        pass(Duration.ofSeconds(60));
        assertFalse(slow.isOver());
    }

    @Test
    void clientThatFailsInTheMiddleCostsNobodyElseAnything() {
        List<RecordedExchange> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(wait(i % 2 == 0 ? Form.POLL : Form.LINES, 0, "a"));
        }
        all.get(6).fail();
        all.get(7).fail();
        all.get(9).leave();

        publish("x", "a");
        publish("y", "a");

        for (int i = 0; i < 20; i++) {
            boolean lives = i != 6 && i != 7 && i != 9;
            assertEquals(lives, all.get(i).text().contains("\"x\""), "client " + i);
            assertEquals(lives && i % 2 == 1, all.get(i).text().contains("\"y\""), "client " + i);
        }
        assertEquals(2, counters.failed.sum());
        assertEquals(1, counters.left.sum());
        assertEquals(12, ended);
    }

    @Test
    void clientThatHasLeftBeforeItWaitsLeavesNothingBehind() {
        RecordedExchange gone = new RecordedExchange(Head.get("/a"));
        gone.leave();
        List<Channel> entered = Objects.requireNonNull(scene.channels.enter(List.of("a")));
        fanOut.subscribe(
                new Subscription(
                        new Subscription.Start(
                                gone,
                                Form.POLL,
                                entered,
                                List.of(),
                                0,
                                null,
                                null,
                                false,
                                POLL_NANOS),
                        () -> ended++));

        assertEquals(1, ended);
        assertTrue(gone.isOver());
    }

    @Test
    void drainSendsEverybodyAwayAlsoThoseThatStillCome() {
        RecordedExchange poll = wait(Form.POLL, 0, "a");
        RecordedExchange stream = wait(Form.EVENT_STREAM, 0, "a");
        RecordedExchange lines = wait(Form.LINES, 0, "a");
        RecordedExchange slow = wait(Form.LINES, 0, "a");
        slow.stall();
        publish("x", "b");
        pass(Duration.ofSeconds(20));
        stream.takeText();
        lines.takeText();

        fanOut.drain();
        fanOut.round();
        RecordedExchange late = wait(Form.POLL, 1, "a");
        fanOut.round();

        assertEquals(503, poll.status());
        String later = String.valueOf(poll.header("Retry-After"));
        assertTrue(later.matches("[2-4]"), later);
        assertEquals("7.1", poll.header("Last-Event-ID"));
        assertTrue(stream.text().matches("retry: [0-9]{4}\nid: 7.1\n\n"), stream.text());
        assertEquals("complete", stream.end());
        assertTrue(
                lines.text().matches("\\{\"id\":\"7.1\",\"retryAfterMillis\":[0-9]{4}}\n"),
                lines.text());
        assertTrue(slow.isOver());
        assertEquals(503, late.status());
        assertEquals(5, ended);
    }
}
