package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.configuration.Values;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Keys of traces. */
final class TraceKeys {
    private static final KeyTable TABLE = new KeyTable();

    private static final ValueType<String> URL =
            new ValueType<>("a URL as http://127.0.0.1:4318/v1/traces, or empty", TraceKeys::url);

    private static final ValueType<String> NAME =
            new ValueType<>("a text that is not empty", TraceKeys::name);

    static final Key<String> COLLECTOR =
            TABLE.key("traces.collector", URL, "")
                    .atStart(
                            "Where the spans of requests are sent, by OTLP over HTTP; empty ="
                                    + " there are none, and the fields `traceparent` and"
                                    + " `tracestate` pass as they are.");

    static final Key<String> TOKEN_FILE =
            TABLE.key("traces.token-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with the token that the collector wants (`Authorization:"
                                    + " Bearer`), mode 600; empty = none.");

    static final Key<String> SERVICE =
            TABLE.key("traces.service", NAME, "lrwp-proxy")
                    .atStart("The name of the proxy there (`service.name`).");

    static final Key<Double> RATIO =
            TABLE.key("traces.ratio", ValueTypes.decimal(0, 1), "0.01")
                    .live(
                            "Share of the traces that begin here and are sent, by their ids. Of"
                                    + " a trace that goes on here the client has decided.");

    static final Key<TracesConfig.Continued> CONTINUED =
            TABLE.key("traces.continue", ValueTypes.choice(TracesConfig.Continued.class), "all")
                    .live(
                            "Whose traces go on here: those of `all` clients, of `trusted` proxies"
                                    + " (`request.trusted-proxies`) or of `none`; those of others"
                                    + " begin anew. Whoever may go on decides on sampling.");

    static final Key<Integer> QUEUE =
            TABLE.key("traces.queue-length", ValueTypes.count(1, 1_000_000), "2048")
                    .atStart("Spans that wait to be sent; above it they are dropped.");

    static final Key<Integer> BATCH =
            TABLE.key("traces.batch", ValueTypes.count(1, 10_000), "512")
                    .atStart("Spans in one message, at most; so many are sent at once.");

    static final Key<Duration> DELAY =
            TABLE.key(
                            "traces.delay",
                            ValueTypes.duration(Duration.ofMillis(10), Duration.ofMinutes(5)),
                            "1s")
                    .atStart("How long a span waits for others before it is sent.");

    static final Key<Duration> TIMEOUT =
            TABLE.key(
                            "traces.timeout",
                            ValueTypes.duration(Duration.ofMillis(100), Duration.ofMinutes(5)),
                            "10s")
                    .atStart(
                            "How long the collector may take for a message; then its spans are"
                                    + " lost, and the log says so.");

    private TraceKeys() {}

    private static String url(String text) {
        if (!text.isEmpty()) {
            URI url = URI.create(text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (!http || url.getHost() == null || url.getRawUserInfo() != null) {
                throw new IllegalArgumentException(text);
            }
        }
        return text;
    }

    private static String name(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("empty");
        }
        return text;
    }

    /** What the values say; null when there are no traces. */
    static @Nullable TracesConfig config(Values values) {
        String collector = values.get(COLLECTOR);
        String token = values.get(TOKEN_FILE);
        return collector.isEmpty()
                ? null
                : new TracesConfig(
                        URI.create(collector),
                        token.isEmpty() ? null : Path.of(token),
                        values.get(SERVICE),
                        values.get(RATIO),
                        values.get(CONTINUED),
                        values.get(QUEUE),
                        values.get(BATCH),
                        values.get(DELAY),
                        values.get(TIMEOUT));
    }

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
