package org.lrwp.events.publisher;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Publishes events to an event module, wherever that runs.
 *
 * <pre>{@code
 * try (EventPublisher publisher = EventPublisher.to(URI.create("http://127.0.0.1:1080/events"))) {
 *     String id = publisher.publish("news", "hello").join();
 * }
 * }</pre>
 *
 * <p>Each event has an idempotency key of its own, so that one that had no answer is sent again
 * without being there twice. Events that are published one after another without waiting may change
 * their order. Thread-safe; nothing blocks but {@link #close}.
 */
public final class EventPublisher implements AutoCloseable {
    /** In a cluster there is more behind an {@code @}. */
    private static final Pattern ID =
            Pattern.compile("\"id\":\"([0-9]+\\.[0-9]+(?:@[A-Za-z0-9_.,-]+)?)\"");

    private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    private final HttpClient client;
    private final String context;
    private final @Nullable String secret;
    private final Trials trials;

    /**
     * How often an event is tried.
     *
     * @param most how often, at least 1
     * @param timeout how long one try may take
     * @param pause after what time it is tried again, when the answer does not say
     */
    public record Trials(int most, Duration timeout, Duration pause) {
        /** Checks the numbers. */
        public Trials {
            if (most < 1 || timeout.isNegative() || timeout.isZero() || pause.isNegative()) {
                throw new IllegalArgumentException("cannot be tried so");
            }
        }
    }

    private EventPublisher(
            HttpClient client, String context, @Nullable String secret, Trials trials) {
        this.client = client;
        this.context = context;
        this.secret = secret;
        this.trials = trials;
    }

    /**
     * Begins to publish.
     *
     * @param context where the channels are, for example {@code http://127.0.0.1:1080/events}
     * @return a publisher that tries each event 5 times in some seconds
     */
    public static EventPublisher to(URI context) {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        String text = context.toString();
        return new EventPublisher(
                client,
                text.endsWith("/") ? text.substring(0, text.length() - 1) : text,
                null,
                new Trials(5, Duration.ofSeconds(10), Duration.ofSeconds(1)));
    }

    /**
     * Shows a secret from now on.
     *
     * @param shared the shared secret of the module
     * @return a publisher over the same connections: close only one of them
     */
    public EventPublisher withSecret(String shared) {
        return new EventPublisher(client, context, shared, trials);
    }

    /**
     * Tries more or less.
     *
     * @param others how often
     * @return a publisher over the same connections: close only one of them
     */
    public EventPublisher withTrials(Trials others) {
        return new EventPublisher(client, context, secret, others);
    }

    /**
     * Publishes a text.
     *
     * @param channel the channel, or several joined by commas
     * @param text the event
     * @return its id; fails with {@link NotPublishedException}
     */
    public CompletableFuture<String> publish(String channel, String text) {
        return publish(channel, TEXT, text);
    }

    /**
     * Publishes a JSON value.
     *
     * @param channel the channel, or several joined by commas
     * @param json the event
     * @return its id; fails with {@link NotPublishedException}
     */
    public CompletableFuture<String> publishJson(String channel, String json) {
        return publish(channel, JSON, json);
    }

    /**
     * Publishes a text to several channels at once.
     *
     * @param channels the channels
     * @param text the event
     * @return its id; fails with {@link NotPublishedException}
     */
    public CompletableFuture<String> publish(List<String> channels, String text) {
        return publish(String.join(",", channels), text);
    }

    private CompletableFuture<String> publish(String channel, String type, String text) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(context + "/" + channel))
                        .timeout(trials.timeout)
                        .header("Content-Type", type)
                        .header("Idempotency-Key", UUID.randomUUID().toString())
                        .POST(HttpRequest.BodyPublishers.ofString(text));
        if (secret != null) {
            builder.header("Authorization", "Bearer " + secret);
        }
        return send(builder.build(), 1);
    }

    /** What one try came to: one of the two is null. */
    private record Outcome(@Nullable HttpResponse<String> response, @Nullable Throwable failure) {}

    private CompletableFuture<String> send(HttpRequest request, int trial) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .handle(Outcome::new)
                .thenCompose(outcome -> judge(request, trial, outcome));
    }

    private CompletableFuture<String> judge(HttpRequest request, int trial, Outcome outcome) {
        HttpResponse<String> response = outcome.response;
        if (response != null && response.statusCode() == 201) {
            Matcher matcher = ID.matcher(response.body());
            if (matcher.find()) {
                return CompletableFuture.completedFuture(matcher.group(1));
            }
        }
        int status = response == null ? 0 : response.statusCode();
        boolean passes = response == null || PASSING.contains(status);
        if (passes && trial < trials.most) {
            return CompletableFuture.supplyAsync(() -> trial + 1, after(response))
                    .thenCompose(next -> send(request, next));
        }
        String message =
                response == null
                        ? "no answer: " + outcome.failure
                        : status + " " + response.body().strip();
        return CompletableFuture.failedFuture(new NotPublishedException(status, message));
    }

    private Executor after(@Nullable HttpResponse<String> response) {
        long millis = trials.pause.toMillis();
        String said =
                response == null ? "" : response.headers().firstValue("Retry-After").orElse("");
        if (said.matches("[0-9]{1,4}")) {
            millis = 1000 * Long.parseLong(said);
        }
        return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
    }

    /** Ends the connections, when the last events have their answers; blocks for that. */
    @Override
    public void close() {
        client.close();
    }
}
