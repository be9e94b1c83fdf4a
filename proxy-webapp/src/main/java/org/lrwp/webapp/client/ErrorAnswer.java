package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.json.Json;
import org.lrwp.webapp.config.ErrorPage;
import org.lrwp.webapp.config.ErrorPages;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An error as clients see it: a small text, or JSON when they ask for it, with the reason word and
 * the request id.
 *
 * @param status HTTP status
 * @param word the reason word
 * @param sentence for people
 * @param retryAfterSeconds value of Retry-After, 0 for none
 * @param location value of Location, empty for none
 */
public record ErrorAnswer(
        int status, String word, String sentence, int retryAfterSeconds, String location) {
    /** An error that is final: the client has nowhere else to go. */
    private ErrorAnswer(int status, String word, String sentence, int retryAfterSeconds) {
        this(status, word, sentence, retryAfterSeconds, "");
    }

    /**
     * Returns the error for a failure of the engine.
     *
     * @param failure what happened
     * @return its answer
     */
    public static ErrorAnswer of(Failure failure) {
        return new ErrorAnswer(
                failure.status(), failure.word(), failure.sentence(), failure.retryAfterSeconds());
    }

    /**
     * Returns the error for a client that asks too much: RFC 6585 section 4.
     *
     * @param seconds when it may ask again
     * @return its answer
     */
    static ErrorAnswer rateLimited(int seconds) {
        return new ErrorAnswer(429, "rate-limited", "You have asked for too much.", seconds);
    }

    /**
     * Returns the error for a request that the servlet container would answer, and is not there.
     *
     * @param failed whether its start has failed; if not, it goes on
     * @return its answer
     */
    public static ErrorAnswer ofContainer(boolean failed) {
        return failed
                ? new ErrorAnswer(503, "no-container", "The servlet container did not start.", 30)
                : new ErrorAnswer(503, "starting", "The servlet container is starting.", 5);
    }

    /**
     * Returns the error for a context that is paused.
     *
     * @param pause what its clients are told
     * @return its answer
     */
    public static ErrorAnswer of(Pause pause) {
        return new ErrorAnswer(
                Failure.PAUSED.status(),
                Failure.PAUSED.word(),
                pause.text(),
                pause.retryAfterSeconds());
    }

    /**
     * Returns the error for a request that breaks a rule of HTTP.
     *
     * @param why the rule
     * @return its answer
     */
    public static ErrorAnswer of(BadRequestException why) {
        return switch (why.status()) {
            case 414 -> new ErrorAnswer(414, "target-too-long", "The address is too long.", 0);
            case 417 ->
                    new ErrorAnswer(417, "unknown-expectation", "The expectation is unknown.", 0);
            case 431 -> of(Failure.HEAD_TOO_LARGE);
            case 501 -> new ErrorAnswer(501, "not-implemented", "The coding is unknown.", 0);
            case 505 -> new ErrorAnswer(505, "http-version", "The version is unknown.", 0);
            default -> of(Failure.BAD_REQUEST);
        };
    }

    /** The error for what looks like an LRWP peer at the HTTP port. */
    static ErrorAnswer ofPeer() {
        Failure bad = Failure.BAD_REQUEST;
        return new ErrorAnswer(
                bad.status(), bad.word(), "This port is for HTTP, not for LRWP peers.", 0);
    }

    /**
     * Returns the error for a status that the default servlet gives.
     *
     * @param status HTTP status
     * @return its answer
     */
    public static ErrorAnswer of(int status) {
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
     * Makes the answer.
     *
     * @param asker whom it is for
     * @param pages pages in its place
     * @param close whether the connection ends with this answer
     * @return its head, with the length of the body, and its body
     */
    public Whole whole(Asker asker, ErrorPages pages, boolean close) {
        boolean json = prefersJson(asker.accept());
        ErrorPage page = pages.find(status, json);
        ErrorPage.Kind kind =
                page != null ? page.kind() : json ? ErrorPage.Kind.JSON : ErrorPage.Kind.TXT;
        String text =
                page != null
                        ? page.fill(field -> value(field, asker))
                        : json ? json(asker) : text(asker);
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        List<HeaderField> fields = new ArrayList<>();
        fields.add(new HeaderField("Content-Type", kind.contentType()));
        fields.add(new HeaderField("Cache-Control", "no-store"));
        fields.add(new HeaderField("X-Request-Id", asker.id()));
        if (retryAfterSeconds > 0) {
            fields.add(new HeaderField("Retry-After", Integer.toString(retryAfterSeconds)));
        }
        if (!location.isEmpty()) {
            fields.add(new HeaderField("Location", location));
        }
        if (close) {
            fields.add(new HeaderField("Connection", "close"));
        }
        var head = new AnswerHead(status, "", fields, body.length, false);
        return new Whole(head, ByteBuffer.wrap(body));
    }

    /**
     * Whom an error is for.
     *
     * @param accept the request's Accept; null when it has none
     * @param id the request id
     * @param trace the id of its trace; empty for none
     */
    public record Asker(@Nullable String accept, String id, String trace) {
        /** Checks that nothing is missing. */
        public Asker {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(trace, "trace");
        }
    }

    /**
     * An answer with all of its body.
     *
     * @param head its head
     * @param body its bytes
     */
    public record Whole(AnswerHead head, ByteBuffer body) {}

    private static boolean prefersJson(@Nullable String accept) {
        if (accept == null) {
            return false;
        }
        int json = accept.indexOf("json");
        int html = accept.indexOf("text/");
        return json >= 0 && (html < 0 || json < html);
    }

    private String value(ErrorPage.Field field, Asker asker) {
        return switch (field) {
            case STATUS -> Integer.toString(status);
            case REASON -> word;
            case MESSAGE -> sentence;
            case ID -> asker.id();
            case TRACE -> asker.trace();
        };
    }

    private String text(Asker asker) {
        String trace = asker.trace().isEmpty() ? "" : " Trace " + asker.trace();
        return status + " " + word + ": " + sentence + " Request " + asker.id() + trace + "\n";
    }

    private String json(Asker asker) {
        return Json.object(
                        json -> {
                            json.writeNumberField("status", status);
                            json.writeStringField("reason", word);
                            json.writeStringField("message", sentence);
                            json.writeStringField("id", asker.id());
                            if (!asker.trace().isEmpty()) {
                                json.writeStringField("trace", asker.trace());
                            }
                        })
                + "\n";
    }
}
