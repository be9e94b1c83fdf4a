package org.lrwp.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheFileException;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.cachemap.CacheMapConfig;
import org.lrwp.cachemap.CacheStatistics;
import org.lrwp.cachemap.RecoveryReport;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.runtime.operation.SecretFile;
import org.lrwp.sdk.ExchangeHandler;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An image store that runs. Any thread. */
final class ImageStore implements PeerModule {
    private static final System.Logger LOG = System.getLogger(ImageStore.class.getName());

    private final CacheMap map;
    private final boolean inMemory;
    private final @Nullable OriginLoads loads;
    private final ImageHandler handler;

    private ImageStore(CacheMap map, ModuleSetup setup, int largest, boolean inMemory)
            throws BadConfigurationException {
        this.map = map;
        this.inMemory = inMemory;
        Live<StoreConfig> config = setup.configuration().bind(StoreConfig::from);
        String origin = config.get().origin();
        try {
            loads =
                    origin.isEmpty()
                            ? null
                            : new OriginLoads(
                                    Origin.of(origin, largest),
                                    (id, bytes) ->
                                            map.putIfAbsent(id, bytes, config.get().timeToLive()));
        } catch (IllegalArgumentException e) {
            throw new BadConfigurationException(String.valueOf(e.getMessage()));
        }
        String file = setup.configuration().values().get(StoreConfig.TOKEN_FILE);
        WriteRules rules =
                new WriteRules(
                        file.isEmpty()
                                ? new byte[0]
                                : SecretFile.read("token-file", Path.of(file)));
        handler = new ImageHandler(map, largest, rules, config, loads);
    }

    static ImageStore open(ModuleSetup setup) throws BadConfigurationException {
        Values values = setup.configuration().values();
        Path file = values.get(StoreConfig.FILE);
        int largest = Math.toIntExact(values.get(StoreConfig.LARGEST));
        CacheMap map;
        try {
            map =
                    CacheMap.open(
                            CacheMapConfig.of(file, values.get(StoreConfig.SIZE))
                                    .withLargestValue(largest + StoredImage.HEAD)
                                    .withEviction(values.get(StoreConfig.EVICTION)));
        } catch (CacheFileException e) {
            throw new BadConfigurationException("file = " + file + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            // All else is within the bounds of its key.
            throw new BadConfigurationException(
                    "size is too small for largest-image = %d: %s"
                            .formatted(largest, e.getMessage()));
        }
        boolean done = false;
        try {
            ImageStore store = new ImageStore(map, setup, largest, isInMemory(file));
            log(setup.name(), file, map.recovery());
            done = true;
            return store;
        } finally {
            if (!done) {
                map.close();
            }
        }
    }

    private static boolean isInMemory(Path file) {
        try {
            return Files.getFileStore(file).type().equals("tmpfs");
        } catch (IOException e) {
            return false;
        }
    }

    private static void log(String name, Path file, RecoveryReport report) {
        LOG.log(
                report.outcome() == RecoveryReport.Outcome.RECREATED ? Level.WARNING : Level.INFO,
                "cache-opened name={0} file={1} outcome={2} reason=\"{3}\" kept={4} expired={5}"
                        + " dropped={6} damaged={7} rebuilt={8} millis={9}",
                name,
                file,
                report.outcome(),
                report.reason(),
                Long.toString(report.counts().kept()),
                Long.toString(report.counts().expired()),
                Long.toString(report.counts().dropped()),
                Long.toString(report.counts().damaged()),
                Long.toString(report.counts().rebuilt()),
                Long.toString(report.time().toMillis()));
    }

    @Override
    public ExchangeHandler handler() {
        return handler;
    }

    /** A file on a disk may have to be read; one in memory is there. */
    @Override
    public boolean isPrompt() {
        return inMemory;
    }

    @Override
    public List<Figure> figures() {
        CacheStatistics now = map.statistics();
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.gauge("entries", now.entries(), "images", "Images in the cache."));
        figures.add(Figure.gauge("capacity", now.capacity(), "bytes", "Room for images."));
        figures.add(Figure.gauge("live", now.live(), "bytes", "Room that images take."));
        figures.add(Figure.counter("hits", now.hits(), "reads", "Reads that found an image."));
        figures.add(Figure.counter("misses", now.misses(), "reads", "Reads that found none."));
        figures.add(Figure.gauge("hitRatio", now.hitRatio(), "", "Share of reads with an image."));
        figures.add(Figure.counter("puts", now.puts(), "images", "Images written."));
        figures.add(Figure.counter("evicted", now.evicted(), "images", "Gone for want of room."));
        figures.add(Figure.counter("damaged", now.damaged(), "images", "Gone by their checksum."));
        long fetched = loads == null ? 0 : loads.fetched();
        long failed = loads == null ? 0 : loads.failed();
        figures.add(Figure.counter("originFetched", fetched, "images", "Come from the origin."));
        figures.add(Figure.counter("originFailed", failed, "images", "Not come from the origin."));
        return figures;
    }

    @Override
    public List<Action> actions() {
        return List.of(
                new Action(
                        "clear",
                        "Removes all images from the cache.",
                        () -> {
                            map.clear();
                            return "The cache is empty.";
                        }));
    }

    @Override
    public void close() {
        map.close();
    }
}
