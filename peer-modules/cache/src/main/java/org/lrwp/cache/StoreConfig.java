package org.lrwp.cache;

import org.lrwp.cachemap.Eviction;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.caller.HostNames;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
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
 * @param writeHosts what {@code Host} may say of those
 * @param origin where images come from that are not in the cache, empty for nowhere
 * @param originTimeout how long the origin may take
 * @param originRequests how many images are fetched from the origin at once
 */
record StoreConfig(
        Duration timeToLive,
        Duration maxAge,
        List<Network> writeNetworks,
        HostNames writeHosts,
        String origin,
        Duration originTimeout,
        int originRequests) {
    private static final KeyTable TABLE = new KeyTable();
    private static final ValueType<Duration> AGE =
            ValueTypes.duration(Duration.ZERO, Duration.ofDays(36_500));

    static final Key<Path> FILE =
            TABLE.key("file", ValueTypes.PATH, "")
                    .atStart("Where the cache is, best in /dev/shm; made when it is not there.");

    static final Key<Long> SIZE =
            TABLE.key("size", ValueTypes.size(1 << 20, 1L << 46), "1GiB")
                    .atStart(
                            "Bytes of the file, taken at once; at least 1032KiB for the default of"
                                + " largest-image. Another size than that of the file makes it"
                                + " anew; more than its file system has is refused at the start.");

    static final Key<Long> LARGEST =
            TABLE.key("largest-image", ValueTypes.size(1, 16 << 20), "384KiB")
                    .atStart("Bytes of one image; above it 413, or 502 when the origin sent it.");

    static final Key<Eviction> EVICTION =
            TABLE.key("eviction", ValueTypes.choice(Eviction.class), "reference-bit")
                    .atStart("Who goes when there is no room: docs/cache-map.md.");

    static final Key<Duration> TIME =
            TABLE.key("time-to-live", AGE, "0")
                    .live(
                            "How long an image stays after it was written; 0 = until its room is"
                                    + " needed.");

    static final Key<Duration> MAX_AGE =
            TABLE.key("max-age", AGE, "0").live("Cache-Control: max-age of images; 0 = not sent.");

    static final Key<String> TOKEN_FILE =
            TABLE.key("token-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with the token, mode 600: who sends it as Authorization: Bearer"
                                    + " may write from anywhere; empty = nobody.");

    static final Key<List<Network>> NETWORKS =
            TABLE.key("write-networks", ValueTypes.NETWORKS, "127.0.0.0/8, ::1")
                    .live(
                            "Where images may be written from without the token, unless the request"
                                    + " was forwarded by another proxy; others get 403, or 401 when"
                                    + " there is a token.");

    static final Key<List<String>> HOSTS =
            TABLE.key("write-hosts", ValueTypes.LIST, "localhost")
                    .live(
                            "Values of Host, without port, that such a request may have beside IP"
                                    + " addresses; * = any. A web page could use other names"
                                    + " through a browser there.");

    static final Key<String> ORIGIN =
            TABLE.key("origin", ValueTypes.TEXT, "")
                    .atStart(
                            "A folder, or an http or https URL that ends with /, to which the id is"
                                + " added: where images come from that are not in the cache; empty"
                                + " = 404.");

    static final Key<Duration> ORIGIN_TIMEOUT =
            TABLE.key(
                            "origin-timeout",
                            ValueTypes.duration(Duration.ofMillis(1), Duration.ofHours(1)),
                            "10s")
                    .live("How long an origin URL may take for an image; then 504.");

    static final Key<Integer> ORIGIN_REQUESTS =
            TABLE.key("origin-requests", ValueTypes.count(1, 10_000), "64")
                    .live("Images fetched from the origin at once; above it 503.");

    static final List<Key<?>> KEYS = TABLE.all();

    StoreConfig {
        writeNetworks = List.copyOf(writeNetworks);
    }

    static StoreConfig from(Values values) {
        return new StoreConfig(
                values.get(TIME),
                values.get(MAX_AGE),
                values.get(NETWORKS),
                new HostNames(values.get(HOSTS)),
                values.get(ORIGIN),
                values.get(ORIGIN_TIMEOUT),
                values.get(ORIGIN_REQUESTS));
    }
}
