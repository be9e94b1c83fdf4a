package org.lrwp.webapp.servlet;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.BadRequestException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * An error as clients see it: a small text, or JSON when they ask for it, with the reason word and
 * the request id.
 *
 * @param status HTTP status
 * @param word the reason word
 * @param sentence for people
 * @param retryAfterSeconds value of Retry-After, 0 for none
 */
record ErrorAnswer(int status, String word, String sentence, int retryAfterSeconds) {
    static ErrorAnswer of(Failure failure) {
        return new ErrorAnswer(
                failure.status(), failure.word(), failure.sentence(), failure.retryAfterSeconds());
    }

    /** The error for a request that breaks a rule of HTTP. */
    static ErrorAnswer of(BadRequestException why) {
        return switch (why.status()) {
            case 414 -> new ErrorAnswer(414, "target-too-long", "The address is too long.", 0);
            case 431 -> of(Failure.HEAD_TOO_LARGE);
            case 501 -> new ErrorAnswer(501, "not-implemented", "The coding is unknown.", 0);
            case 505 -> new ErrorAnswer(505, "http-version", "The version is unknown.", 0);
            default -> of(Failure.BAD_REQUEST);
        };
    }

    /** The error for a status that the default servlet gives. */
    static ErrorAnswer of(int status) {
        return switch (status) {
            case 403 -> new ErrorAnswer(403, "forbidden", "This is not for you.", 0);
            case 404 -> new ErrorAnswer(404, "not-found", "There is nothing here.", 0);
            case 405 ->
                    new ErrorAnswer(405, "method-not-allowed", "This method is not allowed.", 0);
            case 501 ->
                    new ErrorAnswer(501, "not-implemented", "This method is not implemented.", 0);
            case 416 -> new ErrorAnswer(416, "bad-range", "The range cannot be had.", 0);
            default ->
                    status >= 500
                            ? new ErrorAnswer(status, "internal-error", "The proxy failed.", 0)
                            : new ErrorAnswer(status, "refused", "The request is refused.", 0);
        };
    }

    /** Whether the client had better go elsewhere: the connection ends with this answer. */
    boolean isFarewell() {
        return word.equals(Failure.DRAINING.word()) || word.equals(Failure.BODY_TOO_SLOW.word());
    }

    /**
     * Writes the whole answer, which stays in the container's buffer until it is complete.
     *
     * @param accept the request's Accept
     * @param close whether the connection ends with this answer
     */
    void write(ClientAnswer response, @Nullable String accept, String id, boolean close)
            throws IOException {
        boolean json = prefersJson(accept);
        byte[] body = (json ? json(id) : text(id)).getBytes(StandardCharsets.UTF_8);
        response.status(status);
        response.contentType(json ? "application/json" : "text/plain;charset=utf-8");
        response.set("Cache-Control", "no-store");
        response.set("X-Request-Id", id);
        if (retryAfterSeconds > 0) {
            response.set("Retry-After", Integer.toString(retryAfterSeconds));
        }
        if (close) {
            response.set("Connection", "close");
        }
        response.contentLength(body.length);
        response.body().write(body);
    }

    private static boolean prefersJson(@Nullable String accept) {
        if (accept == null) {
            return false;
        }
        int json = accept.indexOf("json");
        int html = accept.indexOf("text/");
        return json >= 0 && (html < 0 || json < html);
    }

    private String text(String id) {
        return status + " " + word + ": " + sentence + " Request " + id + "\n";
    }

    private String json(String id) {
        return "{\"status\":%d,\"reason\":\"%s\",\"message\":\"%s\",\"id\":\"%s\"}\n"
                .formatted(status, word, sentence, id);
    }
}
