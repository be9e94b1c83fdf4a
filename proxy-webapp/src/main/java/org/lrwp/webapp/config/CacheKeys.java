package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;

import java.time.Duration;
import java.util.List;

/** The keys of the response cache. */
final class CacheKeys {
    static final Key<Boolean> CACHE =
            new Key<>(
                    "context.cache",
                    ValueTypes.SWITCH,
                    "false",
                    "Whether answers are cached as HTTP says (docs/cache.md); needs"
                            + " `cache.file`.");
    static final Key<String> FILE =
            new Key<>(
                    "cache.file",
                    ValueTypes.TEXT,
                    "",
                    "Where cached answers are, best in /dev/shm; made when it is not there. In use"
                            + " by another proxy, or without room: the proxy does not start.");
    static final Key<Long> SIZE =
            new Key<>(
                    "cache.size",
                    ValueTypes.size(1 << 20, 1L << 46),
                    "256MiB",
                    "Octets of that file, taken at once; then the least wanted answers go.");
    static final Key<Long> LARGEST =
            new Key<>(
                    "cache.largest-answer",
                    ValueTypes.size(1024, 16 << 20),
                    "384KiB",
                    "Octets of an answer that is cached; larger ones pass through.");
    static final Key<String> HEURISTIC =
            new Key<>(
                    "cache.heuristic",
                    ValueTypes.word("0", "0.05", "0.1", "0.2"),
                    "0",
                    "Share of the time since its Last-Modified for which an answer is fresh that"
                            + " does not say, a day at most; 0 = not at all.");
    static final Key<Integer> WAITING =
            new Key<>(
                    "cache.waiting",
                    ValueTypes.count(0, 1_000_000),
                    "10000",
                    "Requests that wait for one answer under way; above it they go to a peer.");
    static final Key<Duration> PASS_TIME =
            new Key<>(
                    "cache.pass-time",
                    ValueTypes.duration(Duration.ZERO),
                    "10s",
                    "How long requests for a URL go to peers at once, without waiting for each"
                            + " other, when its answer could not be cached.");
    static final Key<List<Network>> PURGE_NETWORKS =
            new Key<>(
                    "cache.purge-networks",
                    ValueTypes.NETWORKS,
                    "127.0.0.0/8, ::1",
                    "Where PURGE is allowed from without the token, unless the request was"
                            + " forwarded; others get 403, or 401 when there is a token.");
    static final Key<String> PURGE_TOKEN =
            new Key<>(
                    "cache.purge-token",
                    ValueTypes.TEXT,
                    "",
                    "Who sends it as `Authorization: Bearer` may purge from anywhere; empty ="
                            + " nobody.");

    private CacheKeys() {}
}
