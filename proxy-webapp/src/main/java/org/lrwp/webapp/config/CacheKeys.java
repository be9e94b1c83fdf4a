package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;

/** The keys of the response cache. */
final class CacheKeys {
    private static final KeyTable TABLE = new KeyTable();

    static final Key<String> FILE =
            TABLE.key("cache.file", ValueTypes.TEXT, "")
                    .atStart(
                            "Where cached answers are, best in /dev/shm; made when it is not there."
                                + " In use by another proxy, or without room: the proxy does not"
                                + " start.");

    static final Key<Long> SIZE =
            TABLE.key("cache.size", ValueTypes.size(1 << 20, 1L << 46), "256MiB")
                    .atStart(
                            "Bytes of that file, taken at once; then the least wanted answers"
                                    + " go.");

    static final Key<Long> LARGEST =
            TABLE.key("cache.largest-answer", ValueTypes.size(1024, 16 << 20), "384KiB")
                    .atStart("Bytes of an answer that is cached; larger ones pass through.");

    static final Key<String> HEURISTIC =
            TABLE.key("cache.heuristic", ValueTypes.word("0", "0.05", "0.1", "0.2"), "0")
                    .atStart(
                            "Share of the time since its Last-Modified for which an answer is fresh"
                                    + " that does not say, a day at most; 0 = not at all.");

    static final Key<Integer> WAITING =
            TABLE.key("cache.waiting", ValueTypes.count(0, 1_000_000), "10000")
                    .atStart(
                            "Requests that wait for one answer under way; above it they go to a"
                                    + " peer.");

    static final Key<Duration> PASS_TIME =
            TABLE.key("cache.pass-time", ValueTypes.duration(Duration.ZERO), "10s")
                    .atStart(
                            "How long requests for a URL go to peers at once, without waiting for"
                                    + " each other, when its answer could not be cached.");

    static final Key<List<Network>> PURGE_NETWORKS =
            TABLE.key("cache.purge-networks", ValueTypes.NETWORKS, "127.0.0.0/8, ::1")
                    .atStart(
                            "Where PURGE is allowed from without the token, unless the request was"
                                    + " forwarded; others get 403, or 401 when there is a token.");

    static final Key<String> PURGE_TOKEN_FILE =
            TABLE.key("cache.purge-token-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with the token, mode 600: who sends it as `Authorization: Bearer`"
                                    + " may purge from anywhere; empty = nobody.");

    private CacheKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
