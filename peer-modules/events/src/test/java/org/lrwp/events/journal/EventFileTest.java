package org.lrwp.events.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.events.channel.Backlog;
import org.lrwp.events.channel.Channel;
import org.lrwp.events.channel.ChannelLimits;
import org.lrwp.events.channel.Channels;
import org.lrwp.events.channel.Draft;
import org.lrwp.events.channel.Publication;
import org.lrwp.events.event.Event;
import org.lrwp.events.event.EventData;
import org.lrwp.events.event.EventId;
import org.lrwp.events.testkit.Settings;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;

class EventFileTest {
    @TempDir Path folder;
    private final List<EventFile> open = new ArrayList<>();
    private long wallMillis = 1000;
    private long size = 1 << 20;
    private final FailingDisk disk = new FailingDisk();

    @AfterEach
    void close() throws IOException {
        for (EventFile file : open) {
            file.close();
        }
    }

    private Path path() {
        return folder.resolve("events");
    }

    /** Remembers what was forced, and fails when it shall. */
    private static final class FailingDisk implements Disk {
        private boolean contentFails;
        private boolean namesFail;
        private final List<Path> folders = new ArrayList<>();

        @Override
        public void force(FileChannel file) throws IOException {
            if (contentFails) {
                throw new IOException("no content is forced");
            }
        }

        @Override
        public void forceNames(Path folder) throws IOException {
            if (namesFail) {
                throw new IOException("no names are forced");
            }
            Disk.REAL.forceNames(folder);
            folders.add(folder);
        }
    }

    /** One run of the module. */
    private final class Run {
        private final EventFile file;
        private final Channels channels;

        Run(String... settings) throws IOException {
            wallMillis += 1000;
            InstantSource wall = () -> Instant.ofEpochMilli(wallMillis);
            file =
                    EventFile.open(
                            path(),
                            new EventFile.Use(() -> size, () -> true),
                            new EventFile.Time(wall, () -> wallMillis * 1_000_000L),
                            disk);
            open.add(file);
            ChannelLimits limits = Settings.policy(settings).channels();
            Restored restored = file.restored();
            channels =
                    new Channels(
                            () -> limits, () -> wallMillis * 1_000_000L, restored.epochs(), file);
            channels.restore(restored.kept(), restored.last());
            file.attach(channels::kept);
        }

        EventId publish(String text, String... names) {
            return assertInstanceOf(Publication.Done.class, tryPublish(text, names)).id();
        }

        Publication tryPublish(String text, String... names) {
            EventData data = new EventData(EventData.Kind.TEXT, text);
            return channels.publish(new Draft(List.of(names), data, ""));
        }

        Backlog since(EventId id, String... names) {
            List<Channel> entered = Objects.requireNonNull(channels.enter(List.of(names)));
            return channels.read(entered, channels.placeOf(id).position(), 10_000, null);
        }

        void end() throws IOException {
            file.close();
            open.remove(file);
        }
    }

    private static List<String> texts(Backlog backlog) {
        return backlog.events().stream().map(event -> event.data().text()).toList();
    }

    private static List<Long> sequences(Backlog backlog) {
        return backlog.events().stream().map(Event::sequence).toList();
    }

    @Test
    void eventsAreThereAfterARestartAndIdsGoOn() throws Exception {
        Run first = new Run();
        EventId one = first.publish("1", "a");
        EventId two = first.publish("2", "a", "b");
        first.end();
        Run second = new Run();
        EventId three = second.publish("3", "b");

        assertEquals(List.of("2"), texts(second.since(one, "a")));
        assertEquals(List.of("2", "3"), texts(second.since(one, "a", "b")));
        assertEquals(List.of("3"), texts(second.since(two, "a", "b")));
        assertFalse(second.since(one, "a", "b").gap());
        assertEquals(3, three.sequence());
        assertTrue(three.epoch() > two.epoch());
        assertEquals(two, second.since(one, "a").events().getFirst().id());
    }

    /** Every position, size of the ring and number of restarts. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 100})
    void eachPositionGetsWhatIsBehindItOrIsToldOfTheGap(int ring) throws Exception {
        List<EventId> ids = new ArrayList<>();
        for (int restart = 0; restart < 4; restart++) {
            Run run = new Run("ring-events=" + ring);
            for (int i = 0; i < ids.size(); i++) {
                Backlog backlog = run.since(ids.get(i), "a");
                long oldest = Math.max(1, ids.size() - ring + 1);
                assertEquals(
                        LongStream.rangeClosed(Math.max(oldest, i + 2), ids.size())
                                .boxed()
                                .toList(),
                        sequences(backlog));
                assertEquals(i + 2 < oldest, backlog.gap());
            }
            for (int i = 0; i < 3; i++) {
                ids.add(run.publish("x", "a"));
            }
            run.end();
        }
    }

    @Test
    void whereverTheFileIsCutNoWrongEventIsShownAndTheLossIsTold() throws Exception {
        Run first = new Run();
        List<EventId> ids = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        ends.add(Files.size(path()));
        for (int i = 1; i <= 5; i++) {
            ids.add(first.publish("text " + i, "a"));
            ends.add(Files.size(path()));
        }
        first.end();
        byte[] whole = Files.readAllBytes(path());
        for (int length = Math.toIntExact(ends.getFirst()); length <= whole.length; length++) {
            Files.write(path(), Arrays.copyOf(whole, length));
            Run run = new Run();
            long cut = length;
            long kept = ends.stream().filter(end -> end <= cut).count() - 1;
            Backlog all = run.since(new EventId(ids.getFirst().epoch(), 0), "a");

            assertEquals(
                    LongStream.rangeClosed(1, kept).mapToObj(i -> "text " + i).toList(),
                    texts(all));
            boolean torn = ends.stream().noneMatch(end -> end == cut);
            EventId next = run.publish("next", "a");
            for (EventId id : ids) {
                Backlog backlog = run.since(id, "a");
                assertEquals(torn, backlog.gap(), id + " of " + kept + " at " + cut);
                assertEquals("next", texts(backlog).getLast());
            }
            assertTrue(run.since(next, "a").isEmpty());
            run.end();
            Run again = new Run();
            assertEquals(torn, again.since(ids.getFirst(), "a").gap(), "again at " + cut);
            assertFalse(again.since(next, "a").gap());
            again.end();
        }
    }

    @Test
    void byteThatIsWrongIsNeverAnEvent() throws Exception {
        Run first = new Run();
        for (int i = 1; i <= 5; i++) {
            first.publish("text " + i, "a");
        }
        first.end();
        byte[] whole = Files.readAllBytes(path());
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            byte[] wrong = whole.clone();
            int place = 8 + random.nextInt(wrong.length - 8);
            wrong[place] ^= (byte) (1 << random.nextInt(8));
            Files.write(path(), wrong);
            Run run = new Run();
            List<Channel> entered = Objects.requireNonNull(run.channels.enter(List.of("a")));
            List<String> texts = texts(run.channels.read(entered, 0, 100, null));

            assertEquals(
                    LongStream.rangeClosed(1, texts.size()).mapToObj(n -> "text " + n).toList(),
                    texts);
            run.end();
        }
    }

    @Test
    void fileThatIsTooLargeIsWrittenAnewWithWhatIsKept() throws Exception {
        size = 4096;
        Run first = new Run("ring-events=10");
        EventId begin = first.publish("0", "quiet");
        EventId last = begin;
        long largest = 0;
        for (int i = 1; i <= 500; i++) {
            last = first.publish("text " + i, "a");
            largest = Math.max(largest, Files.size(path()));
        }
        assertTrue(largest <= 4096, largest + " bytes");
        first.end();
        Run second = new Run("ring-events=10");

        assertEquals(List.of(), sequences(second.since(last, "a", "quiet")));
        assertFalse(second.since(new EventId(last.epoch(), last.sequence() - 10), "a").gap());
        assertTrue(second.since(new EventId(last.epoch(), last.sequence() - 11), "a").gap());
        assertEquals(List.of("0"), texts(second.since(new EventId(begin.epoch(), 0), "quiet")));
        assertFalse(second.since(new EventId(begin.epoch(), 0), "quiet").gap());
        assertFalse(Files.exists(folder.resolve("events.new")));
    }

    @Test
    void ageOfEventsGoesOnWhileNobodyRuns() throws Exception {
        Run first = new Run("ring-time=1m");
        EventId id = first.publish("old", "a");
        first.end();
        wallMillis += Duration.ofMinutes(2).toMillis();
        Run second = new Run("ring-time=1m");
        second.publish("new", "a");
        second.channels.keepHouse();

        assertEquals(List.of("new"), texts(second.since(new EventId(id.epoch(), 0), "a")));
    }

    @Test
    void fileBelongsToOneModule() throws Exception {
        Run _ = new Run();

        assertThrows(IOException.class, Run::new);
    }

    @Test
    void fileOfSomethingElseIsLeftAlone() throws Exception {
        Files.writeString(path(), "something else");

        assertThrows(IOException.class, Run::new);

        assertEquals("something else", Files.readString(path()));
    }

    @Test
    void shortFileIsBegunAnew() throws Exception {
        Files.write(path(), new byte[3], StandardOpenOption.CREATE);

        Run run = new Run();
        run.publish("x", "a");

        assertTrue(Files.size(path()) > 8);
    }

    @Test
    void eventThatCannotBeKeptIsNotPublished() throws Exception {
        Run run = new Run();
        run.publish("1", "a");
        run.file.close();

        assertInstanceOf(Publication.NotKept.class, run.tryPublish("2", "a"));
        assertEquals(1, run.channels.head());
    }

    @Test
    void eventThatCannotBeForcedIsNotInTheFile() throws Exception {
        Run first = new Run();
        EventId begin = first.publish("1", "a");
        long before = Files.size(path());
        disk.contentFails = true;
        assertInstanceOf(Publication.NotKept.class, first.tryPublish("2, which is longer", "a"));
        assertEquals(before, Files.size(path()));
        disk.contentFails = false;
        first.publish("3", "a");
        first.end();
        Run second = new Run();

        assertEquals(List.of("3"), texts(second.since(begin, "a")));
        assertFalse(second.since(begin, "a").gap());
    }

    @Test
    void nameOfANewFileIsForcedBeforeAnEventOfItIsShown() throws Exception {
        size = 4096;
        Run run = new Run("ring-events=10");
        run.publish("0", "a");
        run.publish("0", "a");
        assertEquals(List.of(folder), disk.folders);

        disk.namesFail = true;
        int published = 0;
        while (run.tryPublish("text", "a") instanceof Publication.Done) {
            published++;
        }
        assertTrue(published > 10, published + " events before the file was written anew");
        assertInstanceOf(Publication.NotKept.class, run.tryPublish("text", "a"));
        disk.namesFail = false;
        run.publish("last", "a");
        run.publish("last", "a");
        assertEquals(List.of(folder, folder), disk.folders);
    }
}
