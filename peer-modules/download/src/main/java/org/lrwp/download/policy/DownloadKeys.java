package org.lrwp.download.policy;

import org.lrwp.download.valkey.ValkeyServer;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** All that can be set of a download module, in the order of its docs. */
public final class DownloadKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final ValueType<Long> RATE = ValueTypes.rate(1);
    private static final ValueType<Duration> BURST =
            ValueTypes.duration(Duration.ofMillis(10), Duration.ofSeconds(10));
    private static final ValueType<String> BUCKETS =
            new ValueType<>(
                    "at most 64 of letters, digits, _ and -",
                    text -> {
                        if (!text.matches("[A-Za-z0-9_-]{0,64}")) {
                            throw new IllegalArgumentException(text);
                        }
                        return text;
                    });
    private static final ValueType<Optional<URI>> SERVER =
            new ValueType<>(
                    "a URL as redis://10.0.0.1:6379 or rediss://10.0.0.1/2, without user",
                    DownloadKeys::server);
    private static final ValueType<Integer> COUNT = ValueTypes.count(0, 1_000_000);

    /** The folder. */
    public static final Key<Path> ROOT =
            TABLE.key("root", ValueTypes.PATH, "")
                    .atStart("The folder; nothing outside it is sent.");

    /** The limit of all together. */
    public static final Key<Long> GLOBAL_RATE =
            TABLE.key("global-rate", RATE, "unlimited")
                    .live("All downloads together; shared fairly.");

    /** The limit of a client. */
    public static final Key<Long> CLIENT_RATE =
            TABLE.key("client-rate", RATE, "unlimited")
                    .live("All downloads of one client together.");

    /** The limit of a download. */
    public static final Key<Long> REQUEST_RATE =
            TABLE.key("request-rate", RATE, "unlimited").live("One download.");

    /** The burst. */
    public static final Key<Duration> BURST_TIME =
            TABLE.key("burst", BURST, "250ms")
                    .live(
                            "How much of a rate is sent at once (at most 64 KiB); longer costs less"
                                    + " CPU.");

    /** What a client is. */
    public static final Key<ClientKind> CLIENT =
            TABLE.key("client", ClientKind.TYPE, "address").live("What tells clients apart.");

    /** How much of an IPv6 address is a client. */
    public static final Key<Integer> IPV6_PREFIX =
            TABLE.key("client-ipv6-prefix", ValueTypes.count(1, 128), "64")
                    .live("Leading bits of an IPv6 address that are one client.");

    /** Downloads of one client at once. */
    public static final Key<Integer> CONNECTIONS =
            TABLE.key("connections-per-client", COUNT, "0")
                    .live("Downloads of one client at once, 0 for any number; more get 429.");

    /** Whether nodes of a cluster share the limits. */
    public static final Key<Boolean> SHARED =
            TABLE.key("shared-rates", ValueTypes.SWITCH, "true")
                    .atStart(
                            "Inside a proxy of a cluster: whether the rates of all, of classes and"
                                    + " of clients are for all nodes together. Each node has the"
                                    + " part that it has of the downloads.");

    /** Buckets of all nodes. */
    public static final Key<Optional<URI>> VALKEY =
            TABLE.key("valkey", SERVER, "")
                    .atStart(
                            "A Valkey or Redis server (5 or newer) that keeps those rates to the"
                                    + " byte, also among programs; empty: none. Not reached: as"
                                    + " without it, and the log says so.");

    /** How long the server may take. */
    public static final Key<Duration> VALKEY_TIMEOUT =
            TABLE.key(
                            "valkey-timeout",
                            ValueTypes.duration(Duration.ofMillis(10), Duration.ofMinutes(1)),
                            "1s")
                    .atStart(
                            "How long that server may take to connect or to answer; later it is"
                                    + " not reached. Downloads that want more wait meanwhile.");

    /** Who shares the buckets. */
    public static final Key<String> VALKEY_NAME =
            TABLE.key("valkey-name", BUCKETS, "")
                    .atStart(
                            "Modules with the same name there share rates; empty: the module's own"
                                    + " name, `download` for a program.");

    /** What is said to the server. */
    public static final Key<String> VALKEY_LOGIN =
            TABLE.key("valkey-login-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with `USER:PASSWORD` for it, mode 600; the user is `default`"
                                + " where it has a password alone. Empty: it asks for nothing.");

    /** Whom we trust. */
    public static final Key<String> VALKEY_TRUST =
            TABLE.key("valkey-trust", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with the authorities whose certificates it may show, with"
                                    + " rediss://; empty: those of the JVM.");

    /** The place of a class. */
    public static final Key<Integer> CLASS_ORDER =
            TABLE.key("class.*.order", COUNT, "100").live("The first class that fits counts.");

    /** Paths of a class. */
    public static final Key<List<String>> CLASS_PATHS =
            TABLE.key("class.*.paths", ValueTypes.LIST, "")
                    .live("Beginnings of paths; empty: any.");

    /** Networks of a class. */
    public static final Key<List<Network>> CLASS_NETWORKS =
            TABLE.key("class.*.networks", ValueTypes.NETWORKS, "")
                    .live("Clients' addresses; empty: any.");

    /** A header of a class. */
    public static final Key<HeaderRule> CLASS_HEADER =
            TABLE.key("class.*.header", HeaderRule.TYPE, "")
                    .live("A header of the request; empty: any.");

    /** The hours of a class. */
    public static final Key<Hours> CLASS_HOURS =
            TABLE.key("class.*.hours", Hours.TYPE, "").live("Time of day, here; empty: all day.");

    /** The limit of a class. */
    public static final Key<Long> CLASS_RATE =
            TABLE.key("class.*.rate", RATE, "unlimited")
                    .live("All downloads of the class together.");

    /** The limit of a client in a class. */
    public static final Key<Long> CLASS_CLIENT_RATE =
            TABLE.key("class.*.client-rate", RATE, "unlimited").live("One client in the class.");

    /** The limit of a download in a class. */
    public static final Key<Long> CLASS_REQUEST_RATE =
            TABLE.key("class.*.request-rate", RATE, "unlimited").live("One download of the class.");

    /** The weight of a class. */
    public static final Key<Integer> CLASS_WEIGHT =
            TABLE.key("class.*.weight", ValueTypes.count(1, 1000), "1")
                    .live("Share of the global rate where that is short.");

    /** Banned networks. */
    public static final Key<List<Network>> BAN_NETWORKS =
            TABLE.key("ban.networks", ValueTypes.NETWORKS, "").live("Addresses that get nothing.");

    /** Banned users. */
    public static final Key<List<String>> BAN_USERS =
            TABLE.key("ban.users", ValueTypes.LIST, "")
                    .live("Users (REMOTE_USER) that get nothing.");

    /** What the banned get. */
    public static final Key<BanAction> BAN_ACTION =
            TABLE.key("ban.action", ValueTypes.choice(BanAction.class), "refuse")
                    .live("What they get: 403 at once, or after a wait.");

    /** How long the banned wait. */
    public static final Key<Duration> BAN_WAIT =
            TABLE.key(
                            "ban.tarpit-time",
                            ValueTypes.duration(Duration.ofMillis(100), Duration.ofSeconds(50)),
                            "10s")
                    .live("The wait of a tarpit; 1,000 wait at most, more get 403 at once.");

    /** Symbolic links. */
    public static final Key<Boolean> SYMLINKS =
            TABLE.key("symlinks", ValueTypes.SWITCH, "true")
                    .live("Follow links that stay in the folder.");

    /** The file for a folder. */
    public static final Key<String> INDEX =
            TABLE.key("index", ValueTypes.TEXT, "index.html")
                    .live("Sent for a folder that has it.");

    /** Listings. */
    public static final Key<Boolean> LISTING =
            TABLE.key("listing", ValueTypes.SWITCH, "false")
                    .live("List folders, 10,000 names at most; a page says when there are more.");

    /** Files beside files. */
    public static final Key<Boolean> PRECOMPRESSED =
            TABLE.key("precompressed", ValueTypes.SWITCH, "true")
                    .live("Send a .zst, .br or .gz beside a file, unless it is older.");

    /** Ranges. */
    public static final Key<Integer> MOST_RANGES =
            TABLE.key("max-ranges", ValueTypes.count(1, 1000), "16")
                    .live("Ranges of one request; more get the whole file.");

    /** Disposition. */
    public static final Key<Disposition> DISPOSITION =
            TABLE.key("disposition", ValueTypes.choice(Disposition.class), "off")
                    .live(
                            "Content-Disposition of all files; the query ?download asks for"
                                    + " attachment.");

    /** Caching by clients. */
    public static final Key<String> CACHE_CONTROL =
            TABLE.key("cache-control", HeaderRule.VALUE, "")
                    .live("Cache-Control of files; empty: none.");

    /** Types. */
    public static final Key<String> TYPES_FILE =
            TABLE.key("types-file", ValueTypes.TEXT, "")
                    .atStart("More media types: a file mime.types.");

    /** Memory. */
    public static final Key<Long> CACHE_SIZE =
            TABLE.key("cache-size", ValueTypes.size(0, 1L << 40), "64MiB")
                    .live("Files in memory; what is used least makes way.");

    /** Memory of one file. */
    public static final Key<Long> CACHE_ENTRY =
            TABLE.key("cache-entry", ValueTypes.size(0, 1L << 30), "1MiB")
                    .live("The largest file that is kept in memory.");

    /** How long a look counts. */
    public static final Key<Duration> CACHE_CHECK =
            TABLE.key("cache-check", ValueTypes.duration(Duration.ZERO, Duration.ofHours(1)), "1s")
                    .live(
                            "After that long the disk is looked at again; until then an old content"
                                    + " may be sent, as what it is.");

    /** What the system sends. */
    public static final Key<Long> SENDFILE_FROM =
            TABLE.key("sendfile-from", ValueTypes.size(1, 1L << 60), "64KiB")
                    .live("From this length on the kernel sends what has no limit.");

    /** Threads. */
    public static final Key<Integer> DISK_THREADS =
            TABLE.key("disk-threads", ValueTypes.count(1, 256), "4")
                    .atStart("Threads that wait for the disk; no other does.");

    private DownloadKeys() {}

    private static Optional<URI> server(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        URI address = URI.create(text);
        if (!ValkeyServer.isAddress(address)) {
            throw new IllegalArgumentException(text);
        }
        return Optional.of(address);
    }

    /**
     * Returns all keys.
     *
     * @return in the order of the docs
     */
    public static List<Key<?>> all() {
        return TABLE.all();
    }
}
