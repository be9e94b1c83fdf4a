package org.lrwp.events.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.events.event.Event;
import org.lrwp.events.event.EventId;
import org.lrwp.events.testkit.Scene;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.LongStream;

class ChannelsTest {
    private static List<Channel> enter(Scene scene, String... names) {
        return Objects.requireNonNull(scene.channels.enter(List.of(names)));
    }

    private static List<Long> sequences(Backlog backlog) {
        return backlog.events().stream().map(Event::sequence).toList();
    }

    /** Every position against every size of the ring. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 16, 17, 40, 1000})
    void eachPositionGetsWhatIsBehindItOrIsToldOfTheGap(int size) {
        for (int published = 0; published <= 40; published++) {
            Scene scene = new Scene("ring-events=" + size);
            List<Channel> entered = enter(scene, "a");
            for (int i = 0; i < published; i++) {
                scene.publish("x", "a");
            }
            long oldest = Math.max(1, published - size + 1);
            for (long position = 0; position <= published; position++) {
                Backlog backlog = scene.channels.read(entered, position, 100, null);

                long first = Math.max(oldest, position + 1);
                assertEquals(
                        LongStream.rangeClosed(first, published).boxed().toList(),
                        sequences(backlog));
                assertEquals(position + 1 < oldest, backlog.gap(), position + " of " + published);
                assertEquals(published, backlog.position());
                assertFalse(backlog.more() && published < 100);
            }
        }
    }

    @Test
    void aDiskThatKeepsNothingHasOneLineASecondWithItsReason() {
        Scene scene =
                new Scene(
                        events -> {
                            throw new IOException("No space left on device");
                        });
        List<LogRecord> lines = new ArrayList<>();
        Logger logger = Logger.getLogger("org.lrwp.events.channel");
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord line) {
                        lines.add(line);
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.addHandler(handler);
        try {
            for (int i = 0; i < 100; i++) {
                assertInstanceOf(Publication.NotKept.class, scene.publish("x", "a"));
            }
            scene.pass(Duration.ofSeconds(1));
            scene.publish("x", "a");
        } finally {
            logger.removeHandler(handler);
        }
        String line = "event-not-kept reason=\"No space left on device\"";
        assertEquals(
                List.of(line, line + " omitted=99"),
                lines.stream().map(new SimpleFormatter()::formatMessage).toList());
        assertTrue(lines.stream().allMatch(one -> one.getThrown() == null));
    }

    @Test
    void severalChannelsHaveOneOrderAndNoneTwice() {
        Scene scene = new Scene();
        List<Channel> entered = enter(scene, "a", "b", "c");
        scene.publish("1", "a");
        scene.publish("2", "b");
        scene.publish("3", "a", "b", "c");
        scene.publish("4", "d");
        scene.publish("5", "c", "a");

        Backlog backlog = scene.channels.read(entered, 0, 100, null);

        assertEquals(List.of(1L, 2L, 3L, 5L), sequences(backlog));
        assertEquals(
                List.of(3L, 5L),
                sequences(scene.channels.read(entered.subList(2, 3), 0, 100, null)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100})
    void piecesMakeTheWhole(int most) {
        Scene scene = new Scene();
        List<Channel> entered = enter(scene, "a", "b");
        for (int i = 0; i < 10; i++) {
            scene.publish("x", "a", "b");
            scene.publish("x", "b");
            scene.publish("x", "c");
        }
        List<Long> all = new ArrayList<>();
        long position = 0;
        boolean more = true;
        while (more) {
            Backlog backlog = scene.channels.read(entered, position, most, null);
            all.addAll(sequences(backlog));
            assertTrue(backlog.events().size() <= most);
            position = backlog.position();
            more = backlog.more();
        }

        assertEquals(
                LongStream.rangeClosed(1, 30).filter(one -> one % 3 != 0).boxed().toList(), all);
        assertEquals(30, position);
    }

    @Test
    void gapOfOneChannelIsToldThoughTheOtherHasEverything() {
        Scene scene = new Scene("ring-events=2");
        List<Channel> entered = enter(scene, "busy", "quiet");
        scene.publish("1", "quiet");
        for (int i = 0; i < 5; i++) {
            scene.publish("x", "busy");
        }

        Backlog backlog = scene.channels.read(entered, 0, 100, null);

        assertTrue(backlog.gap());
        assertEquals(0, backlog.from());
        assertEquals(List.of(1L, 5L, 6L), sequences(backlog));
    }

    @Test
    void eventsAreForgottenWhenTheyAreTooOld() {
        Scene scene = new Scene("ring-time=10s");
        List<Channel> entered = enter(scene, "a");
        scene.publish("1", "a");
        scene.pass(Duration.ofSeconds(6));
        scene.publish("2", "a");
        scene.pass(Duration.ofSeconds(4));
        scene.channels.keepHouse();

        Backlog backlog = scene.channels.read(entered, 0, 100, null);

        assertEquals(List.of(2L), sequences(backlog));
        assertTrue(backlog.gap());
        assertFalse(scene.channels.read(entered, 1, 100, null).gap());
    }

    @Test
    void memoryOfAChannelAndOfAllIsLimited() {
        Scene scene = new Scene("ring-size=2048", "events-size=4096");
        List<Channel> large = enter(scene, "large");
        List<Channel> small = enter(scene, "small");
        scene.publish("s", "small");
        for (int i = 0; i < 100; i++) {
            scene.publish("x".repeat(100), "large", "other" + i % 4);
            assertTrue(scene.channels.amount().bytes() <= 4096, "all");
        }

        assertTrue(scene.channels.read(large, 0, 100, null).events().size() <= 5);
        assertEquals(List.of(1L), sequences(scene.channels.read(small, 0, 100, null)));
    }

    @Test
    void anEventLargerThanTheRingIsKeptAlone() {
        Scene scene = new Scene("ring-size=1024");
        List<Channel> entered = enter(scene, "a");
        scene.publish("1", "a");
        scene.publish("x".repeat(5000), "a");

        assertEquals(List.of(2L), sequences(scene.channels.read(entered, 0, 100, null)));
    }

    @Test
    void channelThatNobodyUsesIsForgottenAndItsGapIsTold() {
        Scene scene = new Scene("channel-idle=1h");
        scene.publish("1", "a");
        scene.pass(Duration.ofMinutes(61));
        scene.channels.keepHouse();
        assertEquals(0, scene.channels.amount().channels());
        assertEquals(0, scene.channels.amount().bytes());

        List<Channel> entered = enter(scene, "a");
        scene.publish("2", "a");

        assertTrue(scene.channels.read(entered, 0, 100, null).gap());
        assertFalse(scene.channels.read(entered, 1, 100, null).gap());
    }

    @Test
    void emptyChannelIsThereWhileSomebodyIsInIt() {
        Scene scene = new Scene("max-channels=2");
        List<Channel> first = enter(scene, "a", "b");

        assertNull(scene.channels.enter(List.of("c")));
        assertInstanceOf(Publication.TooManyChannels.class, scene.publish("x", "c"));
        scene.channels.leave(first);

        assertEquals(0, scene.channels.amount().channels());
        assertNotNull(scene.channels.enter(List.of("c")));
    }

    @Test
    void fixedChannelsAreTheOnlyOnes() {
        Scene scene = new Scene("channels=a, b");

        assertTrue(scene.channels.allow(List.of("a", "b")));
        assertFalse(scene.channels.allow(List.of("a", "c")));
        assertInstanceOf(Publication.NoChannel.class, scene.publish("x", "c"));
        assertInstanceOf(Publication.Done.class, scene.publish("x", "a"));
    }

    @Test
    void keyMakesARepetitionHarmless() {
        Scene scene = new Scene("idempotency-time=1m", "idempotency-keys=2");
        String[] a = {"a"};
        scene.publish("x", "key", a);

        assertEquals(new Publication.Before(Scene.id(1)), scene.publish("x", "key", a));
        assertInstanceOf(Publication.KeyTaken.class, scene.publish("y", "key", a));
        assertInstanceOf(Publication.KeyTaken.class, scene.publish("x", "key", new String[] {"b"}));
        assertEquals(1, scene.channels.head());

        scene.pass(Duration.ofSeconds(61));
        assertInstanceOf(Publication.Done.class, scene.publish("y", "key", a));
        scene.publish("x", "2", a);
        scene.publish("x", "3", a);
        assertInstanceOf(Publication.Done.class, scene.publish("y", "key", a));
    }

    @Test
    void positionOfAnEventIsThatOfItsEpoch() {
        Scene scene = new Scene();
        scene.publish("x", "a");

        assertEquals(new Channels.Place(1, null, true), scene.channels.placeOf(Scene.id(1)));
        assertEquals(new Channels.Place(0, null, true), scene.channels.placeOf(Scene.id(0)));
        assertFalse(scene.channels.placeOf(Scene.id(2)).known());
        assertFalse(scene.channels.placeOf(new EventId(6, 1)).known());
    }

    @Test
    void presenceIsShown() {
        Scene scene = new Scene();
        List<Channel> entered = enter(scene, "a");
        assertTrue(entered.getFirst().admit(1));
        assertFalse(entered.getFirst().admit(1));
        scene.publish("x", "a");

        assertEquals(
                List.of(new ChannelView("a", 1, 1), new ChannelView("b", 0, 0)),
                scene.channels.views(List.of("a", "b")));
    }

    @Test
    void namesAreChecked() {
        assertEquals(List.of("a", "b.c"), ChannelName.list("a,b.c,a", 2));
        for (String bad : List.of("", "a,", "-", "-a", "a/b", "a b", "\u00e4", "a".repeat(65))) {
            assertThrows(IllegalArgumentException.class, () -> ChannelName.list(bad, 9), bad);
        }
        assertThrows(IllegalArgumentException.class, () -> ChannelName.list("a,b,c", 2));
    }
}
