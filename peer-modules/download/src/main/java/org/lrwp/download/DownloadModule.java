package org.lrwp.download;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.file.DiskThreads;
import org.lrwp.download.file.FileRules;
import org.lrwp.download.file.FileStore;
import org.lrwp.download.http.Coding;
import org.lrwp.download.http.ContentTypes;
import org.lrwp.download.http.FileAnswer;
import org.lrwp.download.http.UsualAnswers;
import org.lrwp.download.policy.DownloadKeys;
import org.lrwp.download.policy.DownloadPolicy;
import org.lrwp.download.rate.RateLoop;
import org.lrwp.download.valkey.ValkeyBuckets;
import org.lrwp.download.valkey.ValkeyServer;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.Neighbours;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.ExchangeHandler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalTime;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A folder that is served, with everything that belongs to it. */
final class DownloadModule implements PeerModule {
    private final Live<DownloadHandler.Settings> settings;
    private final Ground ground;
    private final ScheduledExecutorService clock;
    private final Tarpit tarpit;
    private final DownloadHandler handler;
    private final @Nullable ValkeyBuckets buckets;
    private final Supplier<LocalTime> timeOfDay = LocalTime::now;

    /** The classes that the last look at the time has found open. */
    private List<String> open = List.of();

    private DownloadModule(
            Live<DownloadHandler.Settings> settings, int diskThreads, Sharing sharing) {
        this.settings = settings;
        this.ground =
                new Ground(
                        new RateLoop(settings.get().policy().global(), System::nanoTime),
                        new DiskThreads(diskThreads),
                        new Counters());
        this.clock =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("download-clock").factory());
        this.tarpit = new Tarpit(clock);
        SharedRates shares = new SharedRates(System::nanoTime);
        this.handler = new DownloadHandler(ground, settings::get, timeOfDay, tarpit, shares);
        settings.onChange(handler::settingsChanged);
        Future<?> _ = clock.scheduleAtFixedRate(this::lookAtTheTime, 1, 1, TimeUnit.SECONDS);
        if (sharing.neighbours() != null) {
            share(shares, sharing.neighbours().join(shares));
        }
        this.buckets =
                sharing.valkey() == null
                        ? null
                        : exact(shares, sharing.valkey(), sharing.buckets());
    }

    private ValkeyBuckets exact(SharedRates shares, ValkeyServer server, String name) {
        var opened =
                new ValkeyBuckets(server, name, System::nanoTime, clock, handler::settingsChanged);
        shares.exactBy(opened, ground.loop(), clock);
        // It may have been reached before anybody knew it here.
        handler.settingsChanged();
        return opened;
    }

    private void share(SharedRates shares, Neighbours.Voice voice) {
        long beat = SharedRates.BEAT.toMillis();
        Future<?> _ =
                clock.scheduleAtFixedRate(
                        () -> {
                            if (shares.beat(handler.counted(), voice)) {
                                handler.settingsChanged();
                            }
                        },
                        beat,
                        beat,
                        TimeUnit.MILLISECONDS);
    }

    /** Opens the folder; blocks. */
    static DownloadModule open(ModuleSetup setup) throws BadConfigurationException {
        SettingsReader reader = new SettingsReader();
        Live<DownloadHandler.Settings> settings = setup.configuration().bind(reader::read);
        Values values = setup.configuration().values();
        return new DownloadModule(
                settings, values.get(DownloadKeys.DISK_THREADS), Sharing.of(setup, values));
    }

    /** Makes what is set into what is used; a folder that has not changed is kept. */
    private static final class SettingsReader {
        private record Opened(FileRules rules, FileStore store) {}

        private final AtomicReference<Opened> opened = new AtomicReference<>();

        DownloadHandler.Settings read(Values values) {
            return new DownloadHandler.Settings(
                    DownloadPolicy.of(values),
                    store(values),
                    new UsualAnswers(style(values), InstantSource.system()),
                    values.get(DownloadKeys.SENDFILE_FROM));
        }

        private FileStore store(Values values) {
            FileRules rules = rules(values);
            Opened known = opened.get();
            if (known != null && known.rules.equals(rules)) {
                return known.store;
            }
            try {
                FileStore store = new FileStore(rules, System::nanoTime, InstantSource.system());
                opened.set(new Opened(rules, store));
                return store;
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "root = " + rules.root() + ": not a folder that can be read", e);
            }
        }

        private static FileRules rules(Values values) {
            return new FileRules(
                    values.get(DownloadKeys.ROOT),
                    values.get(DownloadKeys.SYMLINKS),
                    values.get(DownloadKeys.INDEX),
                    values.get(DownloadKeys.LISTING),
                    values.get(DownloadKeys.PRECOMPRESSED)
                            ? Stream.of(Coding.values()).map(Coding::suffix).toList()
                            : List.of(),
                    values.get(DownloadKeys.CACHE_SIZE),
                    values.get(DownloadKeys.CACHE_ENTRY).intValue(),
                    values.get(DownloadKeys.CACHE_CHECK));
        }

        private static FileAnswer.Style style(Values values) {
            String file = values.get(DownloadKeys.TYPES_FILE);
            ContentTypes types = ContentTypes.usual();
            try {
                return new FileAnswer.Style(
                        file.isEmpty() ? types : types.with(Files.readString(Path.of(file))),
                        values.get(DownloadKeys.MOST_RANGES),
                        values.get(DownloadKeys.DISPOSITION).word(),
                        values.get(DownloadKeys.CACHE_CONTROL));
            } catch (IOException e) {
                throw new IllegalArgumentException("types-file = " + file + ": cannot be read", e);
            }
        }
    }

    /** On the clock's thread: an hour begins or ends at most now and then. */
    private void lookAtTheTime() {
        List<String> now = settings.get().policy().openAt(timeOfDay.get());
        if (!now.equals(open)) {
            open = now;
            handler.settingsChanged();
        }
    }

    @Override
    public ExchangeHandler handler() {
        return handler;
    }

    @Override
    public boolean isPrompt() {
        return true;
    }

    @Override
    public List<Figure> figures() {
        Counters counters = ground.counters();
        FileStore store = settings.get().store();
        FileStore.Memory memory = store.memory();
        return List.of(
                Figure.gauge("downloads", handler.underWay(), "downloads", "Bodies on their way."),
                Figure.counter("bytes", counters.bytes.sum(), "bytes", "Bytes of bodies sent."),
                Figure.counter(
                        "kernelBytes", counters.lent.sum(), "bytes", "Of these by the kernel."),
                Figure.counter("answers", counters.answers.sum(), "requests", "Files answered."),
                Figure.counter("unchanged", counters.unchanged.sum(), "requests", "Of these, 304."),
                Figure.counter(
                        "missing", counters.missing.sum(), "requests", "Nothing there: 404."),
                Figure.counter("banned", counters.banned.sum(), "requests", "Banned: 403."),
                Figure.gauge("tarpit", tarpit.size(), "requests", "Banned ones that wait now."),
                Figure.counter(
                        "tooMany", counters.tooMany.sum(), "requests", "Too many at once: 429."),
                Figure.counter(
                        "left", counters.left.sum(), "downloads", "Clients that left early."),
                Figure.counter(
                        "failed", counters.failed.sum(), "downloads", "Files cut or unreadable."),
                Figure.gauge(
                        "exactRates",
                        buckets != null && buckets.isThere() ? 1 : 0,
                        "",
                        "Whether a Valkey server keeps the rates now."),
                Figure.gauge("openFiles", store.openFiles(), "files", "Files open now."),
                Figure.gauge("memoryBytes", memory.bytes(), "bytes", "Files in memory."),
                Figure.counter("memoryHits", memory.hits(), "requests", "Found there."),
                Figure.counter("memoryMisses", memory.misses(), "requests", "Not found there."));
    }

    @Override
    public void drain() {
        tarpit.release();
    }

    @Override
    public void close() {
        if (buckets != null) {
            buckets.close();
        }
        clock.shutdownNow();
        ground.loop().close();
        ground.disk().close();
    }
}
