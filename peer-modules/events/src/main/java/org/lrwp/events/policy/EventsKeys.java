package org.lrwp.events.policy;

import org.lrwp.events.access.Rule;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** All that can be set of an event module, in the order of its docs. */
public final class EventsKeys {
    /** Who publishes. */
    public static final Key<Set<Rule>> PUBLISH_ACCESS =
            Key.live(
                    "publish-access",
                    Rule.TYPE,
                    "loopback, secret",
                    "Who may publish; any of these is enough. loopback: this machine, unless"
                            + " the request went through another proxy.");

    /** Who subscribes. */
    public static final Key<Set<Rule>> SUBSCRIBE_ACCESS =
            Key.live(
                    "subscribe-access",
                    Rule.TYPE,
                    "anyone",
                    "Who may subscribe; any of these is enough.");

    /** The secret. */
    public static final Key<String> SECRET_FILE =
            Key.atStart(
                    "shared-secret-file",
                    ValueTypes.TEXT,
                    "",
                    "File with the shared secret, mode 600; empty: none.");

    /** The key. */
    public static final Key<String> SIGNING_KEY_FILE =
            Key.atStart(
                    "signing-key-file",
                    ValueTypes.TEXT,
                    "",
                    "File with the key of signed URLs, mode 600; empty: none.");

    /** The server that knows. */
    public static final Key<String> ACCESS_URL =
            Key.atStart(
                    "access-url",
                    ValueTypes.TEXT,
                    "",
                    "Where rule ask asks: status 2xx is yes, another is 403, none in time is 503.");

    /** Its time. */
    public static final Key<Duration> ACCESS_TIME =
            Key.atStart(
                    "access-time",
                    ValueTypes.duration(Duration.ofMillis(10), Duration.ofSeconds(50)),
                    "2s",
                    "How long its answer may take.");

    /** Its load. */
    public static final Key<Integer> ACCESS_QUESTIONS =
            Key.atStart(
                    "access-questions",
                    ValueTypes.count(1, 10_000),
                    "256",
                    "Questions under way at once; more get 503.");

    /** Foreign pages. */
    public static final Key<List<String>> CORS_ORIGINS =
            Key.live(
                    "cors-origins",
                    ValueTypes.LIST,
                    "",
                    "Origins such as https://example.org whose pages may use the channels, *"
                            + " for all; pages of the same host always may.");

    /** The channels. */
    public static final Key<List<String>> CHANNELS =
            Key.live(
                    "channels",
                    ValueTypes.LIST,
                    "",
                    "The only channels there are, others get 404; empty: made when first used.");

    /** How many channels. */
    public static final Key<Integer> MOST_CHANNELS =
            Key.live(
                    "max-channels",
                    ValueTypes.count(1, 1_000_000),
                    "10000",
                    "Channels at once; a new one beyond gets 503.");

    /** Channels of a request. */
    public static final Key<Integer> REQUEST_CHANNELS =
            Key.live(
                    "channels-per-request",
                    ValueTypes.count(1, 255),
                    "16",
                    "Channels that one request names; more get 400.");

    /** Unused channels. */
    public static final Key<Duration> CHANNEL_IDLE =
            Key.live(
                    "channel-idle",
                    ValueTypes.duration(Duration.ofSeconds(1), Duration.ofDays(365)),
                    "1d",
                    "A channel without event and client for that long is forgotten, with its"
                            + " events.");

    /** Events of a channel. */
    public static final Key<Integer> RING_EVENTS =
            Key.live(
                    "ring-events",
                    ValueTypes.count(1, 1_000_000),
                    "1000",
                    "Events that a channel keeps.");

    /** Their age. */
    public static final Key<Duration> RING_TIME =
            Key.live(
                    "ring-time",
                    ValueTypes.duration(Duration.ZERO, Duration.ofDays(365)),
                    "0",
                    "How long it keeps them, 0 for as long as there is room.");

    /** Their memory. */
    public static final Key<Long> RING_SIZE =
            Key.live(
                    "ring-size",
                    ValueTypes.size(1024, 1L << 34),
                    "8MiB",
                    "Memory of the events of a channel, about.");

    /** All memory. */
    public static final Key<Long> ALL_SIZE =
            Key.live(
                    "events-size",
                    ValueTypes.size(1024, 1L << 40),
                    "64MiB",
                    "Memory of all events, about; the largest channels give way.");

    /** The largest event. */
    public static final Key<Long> EVENT_SIZE =
            Key.live(
                    "event-size",
                    ValueTypes.size(1, 1 << 24),
                    "64KiB",
                    "Octets of one event; a larger one gets 413.");

    /** Idempotency keys. */
    public static final Key<Integer> KEYS =
            Key.live(
                    "idempotency-keys",
                    ValueTypes.count(0, 1_000_000),
                    "10000",
                    "Idempotency keys that are remembered; the oldest makes way.");

    /** Their age. */
    public static final Key<Duration> KEY_TIME =
            Key.live(
                    "idempotency-time",
                    ValueTypes.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
                    "10m",
                    "How long they are.");

    /** All clients. */
    public static final Key<Integer> WAITERS =
            Key.live(
                    "waiters",
                    ValueTypes.count(1, 1_000_000),
                    "16000",
                    "Clients that wait at once; more get 503.");

    /** One client. */
    public static final Key<Integer> CLIENT_WAITERS =
            Key.live(
                    "waiters-per-client",
                    ValueTypes.count(1, 1_000_000),
                    "10000",
                    "Those of one address at once; more get 429.");

    /** One channel. */
    public static final Key<Integer> CHANNEL_WAITERS =
            Key.live(
                    "waiters-per-channel",
                    ValueTypes.count(1, 1_000_000),
                    "16000",
                    "Those in one channel at once; more get 503.");

    /** What a client is. */
    public static final Key<String> CLIENT_HEADER =
            Key.live(
                    "client-header",
                    ValueTypes.TEXT,
                    "",
                    "Header that tells clients apart behind another proxy, such as"
                            + " X-Real-IP; empty: the address.");

    /** A poll. */
    public static final Key<Duration> POLL_TIME =
            Key.live(
                    "poll-time",
                    ValueTypes.duration(Duration.ofMillis(100), Duration.ofHours(1)),
                    "25s",
                    "How long a poll waits before 204.");

    /** Its spread. */
    public static final Key<Duration> POLL_JITTER =
            Key.live(
                    "poll-jitter",
                    ValueTypes.duration(Duration.ZERO, Duration.ofHours(1)),
                    "30s",
                    "Up to so much longer, by chance, so that polls do not end together;"
                            + " both stay below context.response-timeout of the proxy.");

    /** Signs of life. */
    public static final Key<Duration> KEEP_ALIVE =
            Key.live(
                    "keep-alive",
                    ValueTypes.duration(Duration.ofMillis(500), Duration.ofHours(1)),
                    "15s",
                    "After that silence a stream gets a comment (an empty line as JSON lines).");

    /** Slow clients. */
    public static final Key<Duration> SLOW_TIME =
            Key.live(
                    "slow-time",
                    ValueTypes.duration(Duration.ofMillis(500), Duration.ofHours(1)),
                    "30s",
                    "A client of a stream that takes nothing for that long is cut; it"
                            + " resumes by the id that it has.");

    /** Sent away. */
    public static final Key<Duration> RETRY_AFTER =
            Key.live(
                    "retry-after",
                    ValueTypes.duration(Duration.ofMillis(100), Duration.ofHours(1)),
                    "2s",
                    "When clients that are sent away come again; each is told one to two"
                            + " times that.");

    /** Events at once. */
    public static final Key<Integer> BATCH_EVENTS =
            Key.live(
                    "batch-events",
                    ValueTypes.count(1, 10_000),
                    "100",
                    "Events of one answer to a poll, or of one write, at most.");

    /** Octets at once. */
    public static final Key<Long> BATCH_SIZE =
            Key.live(
                    "batch-size",
                    ValueTypes.size(1, 1 << 24),
                    "256KiB",
                    "Their octets, about; one event always fits.");

    /** The file. */
    public static final Key<String> FILE =
            Key.atStart(
                    "file",
                    ValueTypes.TEXT,
                    "",
                    "File that keeps the events of the rings over a restart; empty: none.");

    /** Its size. */
    public static final Key<Long> FILE_SIZE =
            Key.live(
                    "file-size",
                    ValueTypes.size(65536, 1L << 40),
                    "256MiB",
                    "At that size the file is written anew, with what is still kept.");

    /** Its force. */
    public static final Key<Boolean> FILE_FORCED =
            Key.live(
                    "file-forced",
                    ValueTypes.SWITCH,
                    "false",
                    "Each event is on the disk before anybody sees it; else a machine that goes"
                            + " down may lose the last ones, and clients are told of a gap.");

    /** Threads. */
    public static final Key<Integer> DRAINERS =
            Key.atStart(
                    "drainers",
                    ValueTypes.count(1, 64),
                    "2",
                    "Threads that write events to clients.");

    /** The page. */
    public static final Key<Boolean> DEMO =
            Key.live("demo", ValueTypes.SWITCH, "true", "Serve the page /-/demo.");

    private EventsKeys() {}

    /**
     * Returns all keys.
     *
     * @return in the order of the docs
     */
    public static List<Key<?>> all() {
        return List.of(
                PUBLISH_ACCESS,
                SUBSCRIBE_ACCESS,
                SECRET_FILE,
                SIGNING_KEY_FILE,
                ACCESS_URL,
                ACCESS_TIME,
                ACCESS_QUESTIONS,
                CORS_ORIGINS,
                CHANNELS,
                MOST_CHANNELS,
                REQUEST_CHANNELS,
                CHANNEL_IDLE,
                RING_EVENTS,
                RING_TIME,
                RING_SIZE,
                ALL_SIZE,
                EVENT_SIZE,
                KEYS,
                KEY_TIME,
                WAITERS,
                CLIENT_WAITERS,
                CHANNEL_WAITERS,
                CLIENT_HEADER,
                POLL_TIME,
                POLL_JITTER,
                KEEP_ALIVE,
                SLOW_TIME,
                RETRY_AFTER,
                BATCH_EVENTS,
                BATCH_SIZE,
                FILE,
                FILE_SIZE,
                FILE_FORCED,
                DRAINERS,
                DEMO);
    }
}
