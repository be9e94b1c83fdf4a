package org.lrwp.webapp.config;

import org.lrwp.engine.request.EnvConfig;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Limits of requests and answers that hold for all contexts.
 *
 * @param env how env blocks are made
 * @param head bytes of the head of a request; above it 431
 * @param dropLimit bytes of a request that are read and dropped after its answer
 * @param stallTime how long a client may read nothing of its answer; then it is cut
 * @param writeAhead bytes of answers that the container holds for slow clients
 * @param fileThreads threads that send files
 * @param client what clients may do
 * @param https how clients are kept on HTTPS
 * @param traffic traffic rules of contexts
 * @param ownHosts hosts, in lower case, at which nothing but the proxy's own pages is answered
 */
public record RequestConfig(
        EnvConfig env,
        long head,
        long dropLimit,
        Duration stallTime,
        WriteAhead writeAhead,
        int fileThreads,
        ClientConfig client,
        HttpsRules https,
        TrafficConfig traffic,
        Set<String> ownHosts) {
    /** Checks all values. */
    public RequestConfig {
        Objects.requireNonNull(env, "env");
        Objects.requireNonNull(writeAhead, "writeAhead");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(https, "https");
        Objects.requireNonNull(traffic, "traffic");
        ownHosts = Set.copyOf(ownHosts);
        if (head < 1
                || dropLimit < 0
                || stallTime.isNegative()
                || stallTime.isZero()
                || fileThreads < 1) {
            throw new IllegalArgumentException(
                    "head %d, dropLimit %d, stallTime %s, fileThreads %d"
                            .formatted(head, dropLimit, stallTime, fileThreads));
        }
    }
}
