package org.lrwp.events.access;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.RequestHead;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks another server whether somebody may do something. Nobody waits for it: the answer comes on a
 * thread of its own. Thread-safe.
 */
public final class AccessServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AccessServer.class.getName());
    private static final int THREADS = 2;

    /** What the other server gets to see of a request, to know whose it is. */
    private static final List<String> PASSED_ON = List.of("Authorization", "Cookie", "Origin");

    /** What the other server said. */
    public enum Word {
        /** A status from 200 to 299. */
        YES,
        /** Any other status. */
        NO,
        /** No whole answer in time, or it is asked too much. */
        NONE
    }

    private final URI url;
    private final Duration timeout;
    private final Semaphore questions;
    private final ExecutorService threads;
    private final HttpClient client;

    /**
     * Prepares to ask.
     *
     * @param url where to
     * @param timeout how long a whole answer may take
     * @param most questions under way at once; more get {@link Word#NONE} at once
     */
    public AccessServer(URI url, Duration timeout, int most) {
        this.url = url;
        this.timeout = timeout;
        this.questions = new Semaphore(most);
        this.threads =
                Executors.newFixedThreadPool(
                        THREADS, Thread.ofPlatform().daemon().name("events-access-", 0).factory());
        this.client =
                HttpClient.newBuilder()
                        .executor(threads)
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(timeout)
                        .build();
    }

    /**
     * Asks; returns at once.
     *
     * @param head the request that it is about
     * @param action what it wants
     * @param channels the channels as the path names them
     * @param then gets the answer, on another thread, or on this one when nobody can be asked
     */
    public void ask(RequestHead head, Action action, String channels, Consumer<Word> then) {
        if (!questions.tryAcquire()) {
            then.accept(Word.NONE);
            return;
        }
        try {
            CompletableFuture<HttpResponse<Void>> sent =
                    client.sendAsync(
                            question(head, action, channels),
                            HttpResponse.BodyHandlers.discarding());
            // The client's own time ends with the head of an answer, and its body could then take
            // for ever. Whoever waits is told on another thread than the one that keeps the time.
            CompletableFuture<?> _ =
                    sent.copy()
                            .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                            .whenCompleteAsync(
                                    (response, failure) -> {
                                        questions.release();
                                        // Closes the connection when the answer is not whole.
                                        sent.cancel(true);
                                        tell(then, word(response, failure));
                                    });
        } catch (RuntimeException e) {
            // A header that cannot be sent, or the module ends.
            LOG.log(Level.DEBUG, "access-not-asked", e);
            questions.release();
            then.accept(Word.NONE);
        }
    }

    private static void tell(Consumer<Word> then, Word word) {
        try {
            then.accept(word);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "access-answer-failed", e);
        }
    }

    private HttpRequest question(RequestHead head, Action action, String channels) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(url)
                        .header("X-Original-Method", action.method())
                        .header("X-Channels", channels);
        pass(builder, "X-Original-URI", head.variable("REQUEST_URI"));
        pass(builder, "X-Remote-Address", head.variable("REMOTE_ADDR"));
        for (String name : PASSED_ON) {
            pass(builder, name, head.header(name));
        }
        return builder.GET().build();
    }

    private static void pass(HttpRequest.Builder builder, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            builder.header(name, value);
        }
    }

    private Word word(@Nullable HttpResponse<Void> response, @Nullable Throwable failure) {
        if (response == null) {
            LOG.log(
                    Level.WARNING,
                    "access-server-silent url={0} reason=\"{1}\"",
                    url,
                    String.valueOf(failure));
            return Word.NONE;
        }
        return response.statusCode() / 100 == 2 ? Word.YES : Word.NO;
    }

    /** Ends the questions that are under way: they get {@link Word#NONE}. */
    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }
}
