package org.lrwp.acme;

import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.DefaultConnection;
import org.shredzone.acme4j.connector.HttpConnector;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.net.ssl.SSLSession;

/**
 * A connection to a directory whose answers have to come in time, to their last byte. Java's client
 * takes the time of a request until the answer's head only: a directory that stalls behind it would
 * hold the thread that orders for ever. For one thread.
 */
final class BoundedConnection extends DefaultConnection {
    /** Of an answer; chains of certificates have some KiB. */
    private static final int MOST_BYTES = 1024 * 1024;

    private final Duration most;

    /**
     * Creates it.
     *
     * @param most how long head and content of an answer may take
     */
    BoundedConnection(HttpConnector connector, Duration most) {
        super(connector);
        this.most = most;
    }

    @Override
    protected void sendRequest(Session session, URL url, Consumer<HttpRequest.Builder> fields)
            throws IOException {
        long begin = System.nanoTime();
        super.sendRequest(session, url, fields);
        HttpResponse<InputStream> answer = Objects.requireNonNull(lastResponse);
        long left = Math.max(1, most.toNanos() - (System.nanoTime() - begin));
        lastResponse = new Whole(answer, new ByteArrayInputStream(whole(answer, left)));
    }

    private byte[] whole(HttpResponse<InputStream> answer, long left) throws IOException {
        var time = new CompletableFuture<Boolean>();
        try (InputStream body = answer.body()) {
            // A thread that reads is woken when another one closes what it reads.
            var _ = time.thenAccept(_ -> close(body));
            var _ = time.completeOnTimeout(true, left, TimeUnit.NANOSECONDS);
            byte[] bytes = body.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(answer.uri() + ": more than " + MOST_BYTES + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            if (time.isDone()) {
                var late =
                        new HttpTimeoutException(
                                answer.uri()
                                        + ": the answer took longer than request-timeout = "
                                        + most.toMillis()
                                        + "ms");
                late.initCause(e);
                throw late;
            }
            throw e;
        } finally {
            time.cancel(false);
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An answer that has come. */
    private record Whole(HttpResponse<InputStream> head, InputStream body)
            implements HttpResponse<InputStream> {

        @Override
        public int statusCode() {
            return head.statusCode();
        }

        @Override
        public HttpRequest request() {
            return head.request();
        }

        @Override
        public Optional<HttpResponse<InputStream>> previousResponse() {
            return head.previousResponse();
        }

        @Override
        public HttpHeaders headers() {
            return head.headers();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return head.sslSession();
        }

        @Override
        public URI uri() {
            return head.uri();
        }

        @Override
        public HttpClient.Version version() {
            return head.version();
        }
    }
}
