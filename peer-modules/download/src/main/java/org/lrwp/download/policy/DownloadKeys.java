package org.lrwp.download.policy;

import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** All that can be set of a download module, in the order of its docs. */
public final class DownloadKeys {
    private static final ValueType<Long> RATE = ValueTypes.rate(1);
    private static final ValueType<Duration> BURST =
            ValueTypes.duration(Duration.ofMillis(10), Duration.ofSeconds(10));
    private static final ValueType<Integer> COUNT = ValueTypes.count(0, 1_000_000);

    /** The folder. */
    public static final Key<Path> ROOT =
            Key.atStart("root", ValueTypes.PATH, "", "The folder; nothing outside it is sent.");

    /** The limit of all together. */
    public static final Key<Long> GLOBAL_RATE =
            Key.live("global-rate", RATE, "unlimited", "All downloads together; shared fairly.");

    /** The limit of a client. */
    public static final Key<Long> CLIENT_RATE =
            Key.live("client-rate", RATE, "unlimited", "All downloads of one client together.");

    /** The limit of a download. */
    public static final Key<Long> REQUEST_RATE =
            Key.live("request-rate", RATE, "unlimited", "One download.");

    /** The burst. */
    public static final Key<Duration> BURST_TIME =
            Key.live(
                    "burst",
                    BURST,
                    "250ms",
                    "How much of a rate is sent at once (at most 64 KiB); longer costs less CPU.");

    /** What a client is. */
    public static final Key<ClientKind> CLIENT =
            Key.live("client", ClientKind.TYPE, "address", "What tells clients apart.");

    /** How much of an IPv6 address is a client. */
    public static final Key<Integer> IPV6_PREFIX =
            Key.live(
                    "client-ipv6-prefix",
                    ValueTypes.count(1, 128),
                    "64",
                    "Leading bits of an IPv6 address that are one client.");

    /** Downloads of one client at once. */
    public static final Key<Integer> CONNECTIONS =
            Key.live(
                    "connections-per-client",
                    COUNT,
                    "0",
                    "Downloads of one client at once, 0 for any number; more get 429.");

    /** The place of a class. */
    public static final Key<Integer> CLASS_ORDER =
            Key.live("class.*.order", COUNT, "100", "The first class that fits counts.");

    /** Paths of a class. */
    public static final Key<List<String>> CLASS_PATHS =
            Key.live("class.*.paths", ValueTypes.LIST, "", "Beginnings of paths; empty: any.");

    /** Networks of a class. */
    public static final Key<List<Network>> CLASS_NETWORKS =
            Key.live(
                    "class.*.networks", ValueTypes.NETWORKS, "", "Clients' addresses; empty: any.");

    /** A header of a class. */
    public static final Key<HeaderRule> CLASS_HEADER =
            Key.live("class.*.header", HeaderRule.TYPE, "", "A header of the request; empty: any.");

    /** The hours of a class. */
    public static final Key<Hours> CLASS_HOURS =
            Key.live("class.*.hours", Hours.TYPE, "", "Time of day, here; empty: all day.");

    /** The limit of a class. */
    public static final Key<Long> CLASS_RATE =
            Key.live("class.*.rate", RATE, "unlimited", "All downloads of the class together.");

    /** The limit of a client in a class. */
    public static final Key<Long> CLASS_CLIENT_RATE =
            Key.live("class.*.client-rate", RATE, "unlimited", "One client in the class.");

    /** The limit of a download in a class. */
    public static final Key<Long> CLASS_REQUEST_RATE =
            Key.live("class.*.request-rate", RATE, "unlimited", "One download of the class.");

    /** The weight of a class. */
    public static final Key<Integer> CLASS_WEIGHT =
            Key.live(
                    "class.*.weight",
                    ValueTypes.count(1, 1000),
                    "1",
                    "Share of the global rate where that is short.");

    /** Banned networks. */
    public static final Key<List<Network>> BAN_NETWORKS =
            Key.live("ban.networks", ValueTypes.NETWORKS, "", "Addresses that get nothing.");

    /** Banned users. */
    public static final Key<List<String>> BAN_USERS =
            Key.live("ban.users", ValueTypes.LIST, "", "Users (REMOTE_USER) that get nothing.");

    /** What the banned get. */
    public static final Key<BanAction> BAN_ACTION =
            Key.live(
                    "ban.action",
                    ValueTypes.choice(BanAction.class),
                    "refuse",
                    "What they get: 403 at once, or after a wait.");

    /** How long the banned wait. */
    public static final Key<Duration> BAN_WAIT =
            Key.live(
                    "ban.tarpit-time",
                    ValueTypes.duration(Duration.ofMillis(100), Duration.ofSeconds(50)),
                    "10s",
                    "The wait of a tarpit; 1,000 wait at most, more get 403 at once.");

    /** Symbolic links. */
    public static final Key<Boolean> SYMLINKS =
            Key.live(
                    "symlinks", ValueTypes.SWITCH, "true", "Follow links that stay in the folder.");

    /** The file for a folder. */
    public static final Key<String> INDEX =
            Key.live("index", ValueTypes.TEXT, "index.html", "Sent for a folder that has it.");

    /** Listings. */
    public static final Key<Boolean> LISTING =
            Key.live("listing", ValueTypes.SWITCH, "false", "List folders, 10,000 names at most.");

    /** Files beside files. */
    public static final Key<Boolean> PRECOMPRESSED =
            Key.live(
                    "precompressed",
                    ValueTypes.SWITCH,
                    "true",
                    "Send a .zst, .br or .gz beside a file, unless it is older.");

    /** Ranges. */
    public static final Key<Integer> MOST_RANGES =
            Key.live(
                    "max-ranges",
                    ValueTypes.count(1, 1000),
                    "16",
                    "Ranges of one request; more get the whole file.");

    /** Disposition. */
    public static final Key<Disposition> DISPOSITION =
            Key.live(
                    "disposition",
                    ValueTypes.choice(Disposition.class),
                    "off",
                    "Content-Disposition of all files; the query ?download asks for attachment.");

    /** Caching by clients. */
    public static final Key<String> CACHE_CONTROL =
            Key.live("cache-control", HeaderRule.VALUE, "", "Cache-Control of files; empty: none.");

    /** Types. */
    public static final Key<String> TYPES_FILE =
            Key.atStart("types-file", ValueTypes.TEXT, "", "More media types: a file mime.types.");

    /** Memory. */
    public static final Key<Long> CACHE_SIZE =
            Key.live(
                    "cache-size",
                    ValueTypes.size(0, 1L << 40),
                    "64MiB",
                    "Files in memory; what is used least makes way.");

    /** Memory of one file. */
    public static final Key<Long> CACHE_ENTRY =
            Key.live(
                    "cache-entry",
                    ValueTypes.size(0, 1L << 30),
                    "1MiB",
                    "The largest file that is kept in memory.");

    /** How long a look counts. */
    public static final Key<Duration> CACHE_CHECK =
            Key.live(
                    "cache-check",
                    ValueTypes.duration(Duration.ZERO, Duration.ofHours(1)),
                    "1s",
                    "After that long the disk is looked at again.");

    /** Threads. */
    public static final Key<Integer> DISK_THREADS =
            Key.atStart(
                    "disk-threads",
                    ValueTypes.count(1, 256),
                    "4",
                    "Threads that wait for the disk; no other does.");

    private DownloadKeys() {}

    /**
     * Returns all keys.
     *
     * @return in the order of the docs
     */
    public static List<Key<?>> all() {
        return List.of(
                ROOT,
                GLOBAL_RATE,
                CLIENT_RATE,
                REQUEST_RATE,
                BURST_TIME,
                CLIENT,
                IPV6_PREFIX,
                CONNECTIONS,
                CLASS_ORDER,
                CLASS_PATHS,
                CLASS_NETWORKS,
                CLASS_HEADER,
                CLASS_HOURS,
                CLASS_RATE,
                CLASS_CLIENT_RATE,
                CLASS_REQUEST_RATE,
                CLASS_WEIGHT,
                BAN_NETWORKS,
                BAN_USERS,
                BAN_ACTION,
                BAN_WAIT,
                SYMLINKS,
                INDEX,
                LISTING,
                PRECOMPRESSED,
                MOST_RANGES,
                DISPOSITION,
                CACHE_CONTROL,
                TYPES_FILE,
                CACHE_SIZE,
                CACHE_ENTRY,
                CACHE_CHECK,
                DISK_THREADS);
    }
}
