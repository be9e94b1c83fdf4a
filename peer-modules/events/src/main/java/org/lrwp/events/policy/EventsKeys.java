package org.lrwp.events.policy;

import org.lrwp.events.access.Rule;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** All that can be set of an event module, in the order of its docs. */
public final class EventsKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final ValueType<Integer> COUNT = ValueTypes.count(1, 1_000_000);
    private static final ValueType<Duration> WAIT =
            ValueTypes.duration(Duration.ofMillis(100), Duration.ofHours(1));

    /** Drainers look twice a second who is silent. */
    private static final ValueType<Duration> SILENCE =
            ValueTypes.duration(Duration.ofMillis(500), Duration.ofHours(1));

    /** Who publishes. */
    public static final Key<Set<Rule>> PUBLISH_ACCESS =
            TABLE.key("publish-access", Rule.TYPE, "loopback, secret")
                    .live(
                            "Who may publish; any of these is enough. loopback: this machine,"
                                    + " unless the request went through another proxy.");

    /** Who subscribes. */
    public static final Key<Set<Rule>> SUBSCRIBE_ACCESS =
            TABLE.key("subscribe-access", Rule.TYPE, "anyone")
                    .live("Who may subscribe; any of these is enough.");

    /** What loopback takes. */
    public static final Key<List<String>> LOOPBACK_HOSTS =
            TABLE.key("loopback-hosts", ValueTypes.LIST, "localhost")
                    .live(
                            "Values of Host, without port, that rule loopback takes beside IP"
                                    + " addresses; * = any. A web page could use other names"
                                    + " through a browser of this machine.");

    /** The secret. */
    public static final Key<String> SECRET_FILE =
            TABLE.key("shared-secret-file", ValueTypes.TEXT, "")
                    .atStart("File with the shared secret, mode 600; empty: none.");

    /** The key. */
    public static final Key<String> SIGNING_KEY_FILE =
            TABLE.key("signing-key-file", ValueTypes.TEXT, "")
                    .atStart("File with the key of signed URLs, mode 600; empty: none.");

    /** The server that knows. */
    public static final Key<String> ACCESS_URL =
            TABLE.key("access-url", ValueTypes.TEXT, "")
                    .atStart(
                            "Where rule ask asks: status 2xx is yes, another is 403, none in time"
                                    + " is 503.");

    /** Its time. */
    public static final Key<Duration> ACCESS_TIME =
            TABLE.key(
                            "access-time",
                            ValueTypes.duration(Duration.ofMillis(10), Duration.ofSeconds(50)),
                            "2s")
                    .atStart("How long its whole answer may take.");

    /** Its load. */
    public static final Key<Integer> ACCESS_QUESTIONS =
            TABLE.key("access-questions", ValueTypes.count(1, 10_000), "256")
                    .atStart("Questions under way at once; more get 503.");

    /** Foreign pages. */
    public static final Key<List<String>> CORS_ORIGINS =
            TABLE.key("cors-origins", ValueTypes.LIST, "")
                    .live(
                            "Origins such as https://example.org whose pages may use the channels,"
                                    + " * for all; pages of the same host always may.");

    /** The channels. */
    public static final Key<List<String>> CHANNELS =
            TABLE.key("channels", ValueTypes.LIST, "")
                    .live(
                            "The only channels there are, others get 404; empty: made when first"
                                    + " used.");

    /** How many channels. */
    public static final Key<Integer> MOST_CHANNELS =
            TABLE.key("max-channels", COUNT, "10000")
                    .live("Channels at once; a new one beyond gets 503.");

    /** Channels of a request. */
    public static final Key<Integer> REQUEST_CHANNELS =
            TABLE.key("channels-per-request", ValueTypes.count(1, 255), "16")
                    .live("Channels that one request names; more get 400.");

    /** Unused channels. */
    public static final Key<Duration> CHANNEL_IDLE =
            TABLE.key(
                            "channel-idle",
                            ValueTypes.duration(Duration.ofSeconds(1), Duration.ofDays(365)),
                            "1d")
                    .live(
                            "A channel without event and client for that long is forgotten, with"
                                    + " its events.");

    /** Events of a channel. */
    public static final Key<Integer> RING_EVENTS =
            TABLE.key("ring-events", COUNT, "1000").live("Events that a channel keeps.");

    /** Their age. */
    public static final Key<Duration> RING_TIME =
            TABLE.key("ring-time", ValueTypes.duration(Duration.ZERO, Duration.ofDays(365)), "0")
                    .live("How long it keeps them, 0 for as long as there is room.");

    /** Their memory. */
    public static final Key<Long> RING_SIZE =
            TABLE.key("ring-size", ValueTypes.size(1024, 1L << 34), "8MiB")
                    .live("Memory of the events of a channel, about.");

    /** All memory. */
    public static final Key<Long> ALL_SIZE =
            TABLE.key("events-size", ValueTypes.size(1024, 1L << 40), "64MiB")
                    .live("Memory of all events, about; the largest channels give way.");

    /** The largest event. */
    public static final Key<Long> EVENT_SIZE =
            TABLE.key("event-size", ValueTypes.size(1, 1 << 24), "64KiB")
                    .live("Bytes of one event; a larger one gets 413.");

    /** Idempotency keys. */
    public static final Key<Integer> KEYS =
            TABLE.key("idempotency-keys", ValueTypes.count(0, 1_000_000), "10000")
                    .live("Idempotency keys that are remembered; the oldest makes way.");

    /** Their age. */
    public static final Key<Duration> KEY_TIME =
            TABLE.key(
                            "idempotency-time",
                            ValueTypes.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
                            "10m")
                    .live("How long they are.");

    /** All clients. */
    public static final Key<Integer> WAITERS =
            TABLE.key("waiters", COUNT, "16000").live("Clients that wait at once; more get 503.");

    /** One client. */
    public static final Key<Integer> CLIENT_WAITERS =
            TABLE.key("waiters-per-client", COUNT, "10000")
                    .live("Those of one address at once; more get 429.");

    /** One channel. */
    public static final Key<Integer> CHANNEL_WAITERS =
            TABLE.key("waiters-per-channel", COUNT, "16000")
                    .live("Those in one channel at once; more get 503.");

    /** What a client is. */
    public static final Key<String> CLIENT_HEADER =
            TABLE.key("client-header", ValueTypes.TEXT, "")
                    .live(
                            "Header that tells clients apart behind another proxy, such as"
                                    + " X-Real-IP; empty: the address.");

    /** A poll. */
    public static final Key<Duration> POLL_TIME =
            TABLE.key("poll-time", WAIT, "25s").live("How long a poll waits before 204.");

    /** Its spread. */
    public static final Key<Duration> POLL_JITTER =
            TABLE.key("poll-jitter", ValueTypes.duration(Duration.ZERO, Duration.ofHours(1)), "30s")
                    .live(
                            "Up to so much longer, by chance, so that polls do not end together;"
                                    + " both stay below context.response-timeout of the proxy.");

    /** Signs of life. */
    public static final Key<Duration> KEEP_ALIVE =
            TABLE.key("keep-alive", SILENCE, "15s")
                    .live(
                            "After that silence a stream gets a comment (an empty line as JSON"
                                    + " lines).");

    /** Slow clients. */
    public static final Key<Duration> SLOW_TIME =
            TABLE.key("slow-time", SILENCE, "30s")
                    .live(
                            "A client of a stream that takes nothing for that long is cut; it"
                                    + " resumes by the id that it has.");

    /** Sent away. */
    public static final Key<Duration> RETRY_AFTER =
            TABLE.key("retry-after", WAIT, "2s")
                    .live(
                            "When clients that are sent away come again; each is told one to two"
                                    + " times that.");

    /** Events at once. */
    public static final Key<Integer> BATCH_EVENTS =
            TABLE.key("batch-events", ValueTypes.count(1, 10_000), "100")
                    .live("Events of one answer to a poll, or of one write, at most.");

    /** Bytes at once. */
    public static final Key<Long> BATCH_SIZE =
            TABLE.key("batch-size", ValueTypes.size(1, 1 << 24), "32KiB")
                    .live("Their bytes, about; one event always fits.");

    /** The file. */
    public static final Key<String> FILE =
            TABLE.key("file", ValueTypes.TEXT, "")
                    .atStart(
                            "File that keeps the events of the rings over a restart; empty: none.");

    /** Its size. */
    public static final Key<Long> FILE_SIZE =
            TABLE.key("file-size", ValueTypes.size(65536, 1L << 40), "256MiB")
                    .live("At that size the file is written anew, with what is still kept.");

    /** Its force. */
    public static final Key<Boolean> FILE_FORCED =
            TABLE.key("file-forced", ValueTypes.SWITCH, "false")
                    .live(
                            "Each event is on the disk before anybody sees it; else a machine that"
                                    + " goes down may lose the last ones, and clients are told of a"
                                    + " gap.");

    /** Threads. */
    public static final Key<Integer> DRAINERS =
            TABLE.key("drainers", ValueTypes.count(1, 64), "2")
                    .atStart("Threads that write events to clients.");

    /** The page. */
    public static final Key<Boolean> DEMO =
            TABLE.key("demo", ValueTypes.SWITCH, "true").live("Serve the page /-/demo.");

    private EventsKeys() {}

    /**
     * Returns all keys.
     *
     * @return in the order of the docs
     */
    public static List<Key<?>> all() {
        return TABLE.all();
    }
}
