package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.HeaderField;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What the proxy itself answers under {@code /-/}. Thread-safe; must not block. */
@FunctionalInterface
public interface OwnPages {
    /** Bytes of the body of a request for these pages; above it 413. */
    int MOST_BODY = 65_536;

    /**
     * Says whether a path is one of these pages, or below one.
     *
     * @param path decoded, below the context root
     * @return whether these answer it
     */
    static boolean own(String path) {
        return path.equals("/-") || path.startsWith("/-/");
    }

    /**
     * Answers a request.
     *
     * @param question the request
     * @return the answer; an error without a body gets the usual one
     */
    Answer answer(Question question);

    /**
     * A request.
     *
     * @param head its head
     * @param path its path below the context root
     * @param body its body, not copied
     */
    @SuppressWarnings("ArrayRecordComponent") // Read once.
    record Question(RequestHead head, String path, byte[] body) {}

    /**
     * An answer.
     *
     * @param status HTTP status
     * @param fields of its head, the type of the body among them
     * @param body its bytes, not copied
     * @param delay how long the client waits for it
     * @param events what is sent after the body, once every two seconds for as long as the client
     *     wants it; null for nothing
     * @param later the answer, of which nothing is known yet but that it comes soon; null when this
     *     is the answer
     */
    @SuppressWarnings("ArrayRecordComponent") // Made once, written once.
    record Answer(
            int status,
            List<HeaderField> fields,
            byte[] body,
            Duration delay,
            @Nullable Supplier<byte[]> events,
            @Nullable CompletableFuture<Answer> later) {
        /** Checks that nothing is missing. */
        public Answer {
            fields = List.copyOf(fields);
            Objects.requireNonNull(body, "body");
            Objects.requireNonNull(delay, "delay");
        }

        /**
         * An answer that is known.
         *
         * @param status HTTP status
         * @param fields of its head, the type of the body among them
         * @param body its bytes, not copied
         * @param delay how long the client waits for it
         * @param events what is sent after the body; null for nothing
         */
        public Answer(
                int status,
                List<HeaderField> fields,
                byte[] body,
                Duration delay,
                @Nullable Supplier<byte[]> events) {
            this(status, fields, body, delay, events, null);
        }

        /**
         * An answer that may have to be waited for.
         *
         * @param later completes soon, and with an answer; a fault is 500
         * @return the answer
         */
        public static Answer of(CompletableFuture<Answer> later) {
            return later.isDone() && !later.isCompletedExceptionally()
                    ? later.join()
                    : new Answer(503, List.of(), new byte[0], Duration.ZERO, null, later);
        }

        /**
         * An answer that is sent at once.
         *
         * @param status HTTP status
         * @param contentType type of the body
         * @param body its bytes
         * @return the answer
         */
        public static Answer of(int status, String contentType, byte[] body) {
            return new Answer(
                    status,
                    List.of(new HeaderField("Content-Type", contentType)),
                    body,
                    Duration.ZERO,
                    null);
        }

        /**
         * An error with the usual body.
         *
         * @param status 400 to 599
         * @return the answer
         */
        public static Answer error(int status) {
            return of(status, "text/plain", new byte[0]);
        }

        /**
         * Says whether the usual body is meant.
         *
         * @return whether it is an error without a body of its own
         */
        public boolean isPlainError() {
            return status >= 400 && body.length == 0;
        }

        /**
         * Says whether it is whole at once.
         *
         * @return whether nothing of it has to be waited for
         */
        public boolean isPrompt() {
            return delay.isZero() && events == null && later == null;
        }
    }
}
