package org.lrwp.jetty;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

import java.util.concurrent.CompletableFuture;

/** Hears that an asynchronous request has failed, and ends it. */
final class ErrorListener implements AsyncListener {
    private final CompletableFuture<Throwable> heard;

    ErrorListener(CompletableFuture<Throwable> heard) {
        this.heard = heard;
    }

    @Override
    public void onError(AsyncEvent event) {
        event.getAsyncContext().complete();
        heard.complete(event.getThrowable());
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
