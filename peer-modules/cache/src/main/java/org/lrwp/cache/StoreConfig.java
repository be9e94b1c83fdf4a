package org.lrwp.cache;

import org.lrwp.cachemap.Eviction;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Key.Use;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.configuration.Values;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What can be set of an image store.
 *
 * @param timeToLive how long an image stays, zero for ever
 * @param maxAge what clients may keep without asking, zero for nothing said
 * @param writeNetworks where images may be written from without the token
 * @param origin where images come from that are not in the cache, empty for nowhere
 * @param originTimeout how long the origin may take
 * @param originRequests how many images are fetched from the origin at once
 */
record StoreConfig(
        Duration timeToLive,
        Duration maxAge,
        List<Network> writeNetworks,
        String origin,
        Duration originTimeout,
        int originRequests) {
    private static final Duration YEARS = Duration.ofDays(36_500);

    static final Key<Path> FILE =
            Key.atStart(
                    "file",
                    ValueTypes.PATH,
                    "",
                    "Where the cache is, best in /dev/shm; made when it is not there.");

    static final Key<Long> SIZE =
            Key.atStart(
                    "size",
                    ValueTypes.size(1 << 20, 1L << 46),
                    "1GiB",
                    "Octets of the file, taken at once. Another size than that of the file makes it"
                            + " anew; more than its file system has is refused at the start.");

    static final Key<Long> LARGEST =
            Key.atStart(
                    "largest-image",
                    ValueTypes.size(1, 16 << 20),
                    "384KiB",
                    "Octets of one image; above it 413, or 502 when the origin sent it.");

    static final Key<Eviction> EVICTION =
            Key.atStart(
                    "eviction",
                    ValueTypes.choice(Eviction.class),
                    "reference-bit",
                    "Who goes when there is no room: docs/cache-map.md.");

    static final Key<String> TOKEN =
            new Key<>(
                    "token",
                    ValueTypes.TEXT,
                    "",
                    "Who sends it as Authorization: Bearer may write from anywhere; empty = none.",
                    Use.SECRET);

    static final Key<List<Network>> NETWORKS =
            Key.live(
                    "write-networks",
                    ValueTypes.NETWORKS,
                    "127.0.0.0/8, ::1",
                    "Where images may be written from without the token, unless the request was"
                            + " forwarded by another proxy; others get 403, or 401 when there is a"
                            + " token.");

    static final Key<Duration> TIME =
            Key.live(
                    "time-to-live",
                    ValueTypes.duration(Duration.ZERO, YEARS),
                    "0",
                    "How long an image stays after it was written; 0 = until its room is needed.");

    static final Key<Duration> MAX_AGE =
            Key.live(
                    "max-age",
                    ValueTypes.duration(Duration.ZERO, YEARS),
                    "0",
                    "Cache-Control: max-age of images; 0 = not sent.");

    static final Key<String> ORIGIN =
            Key.atStart(
                    "origin",
                    ValueTypes.TEXT,
                    "",
                    "A folder, or an http or https URL that ends with /, to which the id is added:"
                            + " where images come from that are not in the cache; empty = 404.");

    static final Key<Duration> ORIGIN_TIMEOUT =
            Key.live(
                    "origin-timeout",
                    ValueTypes.duration(Duration.ofMillis(1), Duration.ofHours(1)),
                    "10s",
                    "How long an origin URL may take for an image; then 504.");

    static final Key<Integer> ORIGIN_REQUESTS =
            Key.live(
                    "origin-requests",
                    ValueTypes.count(1, 10_000),
                    "64",
                    "Images fetched from the origin at once; above it 503.");

    static final List<Key<?>> KEYS =
            List.of(
                    FILE,
                    SIZE,
                    LARGEST,
                    EVICTION,
                    TIME,
                    MAX_AGE,
                    TOKEN,
                    NETWORKS,
                    ORIGIN,
                    ORIGIN_TIMEOUT,
                    ORIGIN_REQUESTS);

    StoreConfig {
        writeNetworks = List.copyOf(writeNetworks);
    }

    static StoreConfig from(Values values) {
        return new StoreConfig(
                values.get(TIME),
                values.get(MAX_AGE),
                values.get(NETWORKS),
                values.get(ORIGIN),
                values.get(ORIGIN_TIMEOUT),
                values.get(ORIGIN_REQUESTS));
    }
}
