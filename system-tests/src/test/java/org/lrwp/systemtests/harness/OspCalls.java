package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gateways that make calls one after another: each asks for authorisation and reports usage from
 * both sides, and sends again what was not confirmed until it is.
 */
public final class OspCalls {
    private static final int GATEWAYS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Pattern TRANSACTION =
            Pattern.compile("<TransactionId>([0-9]+)</TransactionId>");

    private final URI address;
    private final AtomicInteger left;
    private final AtomicInteger repeated = new AtomicInteger();
    private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
    private final List<Future<Void>> gateways = new ArrayList<>();

    private OspCalls(URI address, int calls) {
        this.address = address;
        this.left = new AtomicInteger(calls);
    }

    /** Begins so many calls to the scene's context; they wait for a peer. */
    public static OspCalls begin(Scene scene, int count) {
        OspCalls calls =
                new OspCalls(
                        URI.create("http://127.0.0.1:" + scene.proxy().httpPort() + scene.path("")),
                        count);
        for (int i = 0; i < GATEWAYS; i++) {
            calls.gateways.add(scene.meanwhile(calls::callUntilNoneIsLeft));
        }
        return calls;
    }

    /** The usages that were confirmed: transaction and role, with a space between. */
    public Set<String> confirmed() {
        return confirmed;
    }

    /** How often a message was sent again. */
    public int repeated() {
        return repeated.get();
    }

    /** Waits until all calls have been made. */
    public void end(Duration within) throws Exception {
        for (Future<Void> each : gateways) {
            each.get(within.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private Void callUntilNoneIsLeft() throws InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int call = left.getAndDecrement(); call > 0; call = left.getAndDecrement()) {
                Matcher granted =
                        TRANSACTION.matcher(
                                confirmed(
                                        client,
                                        OspMessages.authorisation(call, "1678"),
                                        "<TransactionId>"));
                if (!granted.find()) {
                    throw new AssertionError("an authorisation without a transaction");
                }
                for (String role : List.of("source", "destination")) {
                    confirmed(
                            client,
                            OspMessages.usage(call, granted.group(1), role),
                            "<Code>200</Code>");
                    confirmed.add(granted.group(1) + " " + role);
                }
            }
            return null;
        }
    }

    /** Sends a message until the answer is a 200 and has a text. */
    private String confirmed(HttpClient client, String message, String text)
            throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address)
                        .timeout(PATIENCE)
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString(message))
                        .build();
        while (true) {
            try {
                HttpResponse<String> answer =
                        client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 200 && answer.body().contains(text)) {
                    return answer.body();
                }
            } catch (IOException lost) {
                // Nobody knows whether it arrived, so it is sent again.
            }
            repeated.incrementAndGet();
            Wait.pass(PAUSE);
        }
    }
}
