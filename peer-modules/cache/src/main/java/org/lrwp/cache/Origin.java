package org.lrwp.cache;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where images come from that are not in the cache. Blocks; for virtual threads. */
interface Origin {
    /**
     * What an origin gave.
     *
     * @param type declared content type, null for none
     * @param bytes the body
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over
    record Fetched(@Nullable String type, byte[] bytes) {
        /** Returns the bytes for the map; null when type and bytes do not agree. */
        @Nullable ByteBuffer encoded() {
            String agreed = ContentKind.agreed(type, bytes);
            if (agreed == null) {
                return null;
            }
            ByteBuffer buffer = ByteBuffer.allocate(StoredImage.HEAD + bytes.length);
            buffer.position(StoredImage.HEAD).put(bytes);
            return StoredImage.encode(agreed, buffer.position(StoredImage.HEAD));
        }
    }

    /** An image is larger than may be. */
    final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLargeException(long limit) {
            super("the image has more than " + limit + " bytes");
        }
    }

    /**
     * Fetches an image.
     *
     * @return the image, null when the origin has none
     */
    @Nullable Fetched fetch(long id, Duration timeout) throws IOException, InterruptedException;

    /** Reads a folder or a URL. */
    static Origin of(String text, long largest) {
        if (text.startsWith("http://") || text.startsWith("https://")) {
            if (!text.endsWith("/")) {
                throw new IllegalArgumentException("origin = " + text + ": does not end with /");
            }
            return new Url(URI.create(text), largest);
        }
        Path folder = Path.of(text);
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("origin = " + text + ": is not a folder");
        }
        return new Folder(folder, largest);
    }

    /** Files whose names are ids. */
    record Folder(Path folder, long largest) implements Origin {
        @Override
        public @Nullable Fetched fetch(long id, Duration timeout) throws IOException {
            Path file = folder.resolve(Long.toString(id));
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
            try (var in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes((int) largest + 1);
                if (bytes.length > largest) {
                    throw new TooLargeException(largest);
                }
                return new Fetched(null, bytes);
            }
        }
    }

    /** A web server. */
    final class Url implements Origin {
        private final URI base;
        private final long largest;
        private final HttpClient client =
                HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

        Url(URI base, long largest) {
            this.base = base;
            this.largest = largest;
        }

        @Override
        public @Nullable Fetched fetch(long id, Duration timeout)
                throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(base.resolve(Long.toString(id))).build();
            HttpResponse<byte[]> response = whole(request, timeout);
            if (response.statusCode() == 404 || response.statusCode() == 410) {
                return null;
            }
            if (response.statusCode() != 200) {
                throw new IOException("the origin answered " + response.statusCode());
            }
            return new Fetched(
                    response.headers().firstValue("Content-Type").orElse(null), response.body());
        }

        /** The client's own time ends with the head, and the body could then take for ever. */
        private HttpResponse<byte[]> whole(HttpRequest request, Duration timeout)
                throws IOException, InterruptedException {
            CompletableFuture<HttpResponse<byte[]>> sent =
                    client.sendAsync(
                            request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), largest));
            try {
                return sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new HttpTimeoutException("no whole answer in time");
            } catch (ExecutionException e) {
                throw new IOException(String.valueOf(e.getCause()), e);
            } finally {
                // Closes the connection when the answer is not whole.
                sent.cancel(true);
            }
        }
    }
}
