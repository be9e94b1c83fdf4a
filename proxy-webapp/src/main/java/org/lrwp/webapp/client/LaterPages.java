package org.lrwp.webapp.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The proxy's own pages, made on threads of their own: a long list of contexts must not hold up
 * whoever shares a selector with its reader. Any thread; never blocks, but for {@link #close}.
 */
public final class LaterPages implements OwnPages, AutoCloseable {
    private static final int THREADS = 2;
    private static final long IDLE_SECONDS = 10;
    private static final int UNAVAILABLE = 503;

    private final OwnPages pages;
    private final ExecutorService threads;

    /**
     * Creates it; there are threads while there is something to do.
     *
     * @param pages what is asked
     */
    public LaterPages(OwnPages pages) {
        this.pages = pages;
        var made =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        // A connection asks once at a time, so the connections bound it.
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("lrwp-pages-", 1).factory());
        made.allowCoreThreadTimeOut(true);
        this.threads = made;
    }

    @Override
    public Answer answer(Question question) {
        try {
            return Answer.of(
                    CompletableFuture.supplyAsync(() -> pages.answer(question), threads)
                            .thenCompose(LaterPages::known));
        } catch (RejectedExecutionException closed) {
            return Answer.error(UNAVAILABLE);
        }
    }

    /** The answer itself, where other nodes are asked for it. */
    private static CompletableFuture<Answer> known(Answer answer) {
        CompletableFuture<Answer> later = answer.later();
        return later == null ? CompletableFuture.completedFuture(answer) : later;
    }

    /** Whoever waits is answered; whoever asks from now on gets 503. */
    @Override
    public void close() {
        threads.close();
    }
}
