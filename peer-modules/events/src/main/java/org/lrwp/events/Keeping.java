package org.lrwp.events;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.channel.ChannelLimits;
import org.lrwp.events.channel.Channels;
import org.lrwp.events.channel.Epochs;
import org.lrwp.events.channel.Journal;
import org.lrwp.events.journal.EventFile;
import org.lrwp.events.journal.Restored;
import org.lrwp.events.policy.EventsKeys;
import org.lrwp.files.FileFault;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Where events are kept: in memory alone, or in a file too. With a file one thread publishes, for
 * it waits for the disk; without one, whoever brings an event does.
 */
final class Keeping implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Keeping.class.getName());

    /** Events that wait for the disk; more get 503. */
    private static final int MOST_WAITING = 10_000;

    private static final long END_SECONDS = 10;

    private final @Nullable EventFile file;
    private final @Nullable ExecutorService thread;

    private Keeping(@Nullable EventFile file) {
        this.file = file;
        this.thread =
                file == null
                        ? null
                        : new ThreadPoolExecutor(
                                1,
                                1,
                                0,
                                TimeUnit.SECONDS,
                                new ArrayBlockingQueue<>(MOST_WAITING),
                                Thread.ofPlatform().daemon().name("events-file").factory());
    }

    /** Opens the file, if there is one; blocks. */
    static Keeping open(Configuration configuration) throws BadConfigurationException {
        String name = configuration.values().get(EventsKeys.FILE);
        if (name.isEmpty()) {
            return new Keeping(null);
        }
        EventFile.Use use =
                new EventFile.Use(
                        () -> configuration.values().get(EventsKeys.FILE_SIZE),
                        () -> configuration.values().get(EventsKeys.FILE_FORCED));
        EventFile.Time time = new EventFile.Time(InstantSource.system(), System::nanoTime);
        try {
            return new Keeping(EventFile.open(Path.of(name), use, time));
        } catch (IOException e) {
            throw new BadConfigurationException("file = " + name + ": " + FileFault.of(e));
        }
    }

    /** Makes the channels, with what the file has; once. */
    Channels channels(Supplier<ChannelLimits> limits) {
        EventFile journal = file;
        if (journal == null) {
            Epochs epochs = Epochs.begin(new TreeMap<>(), InstantSource.system().millis());
            return new Channels(limits, System::nanoTime, epochs, Journal.none());
        }
        Restored restored = journal.restored();
        Channels channels = new Channels(limits, System::nanoTime, restored.epochs(), journal);
        channels.restore(restored.kept(), restored.last());
        journal.attach(channels::kept);
        LOG.log(
                Level.INFO,
                "events-restored events={0} last={1}",
                restored.kept().events().size(),
                Long.toString(restored.last()));
        return channels;
    }

    /** Runs what publishes. */
    Executor executor() {
        ExecutorService own = thread;
        return own == null ? Runnable::run : own;
    }

    @Override
    public void close() {
        ExecutorService own = thread;
        EventFile closing = file;
        if (own == null || closing == null) {
            return;
        }
        own.shutdown();
        try {
            if (!own.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "event-file-busy");
            }
            closing.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Level.ERROR, "event-file-not-closed", e);
        }
    }
}
