package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * What the engine needs to know of a request; its head in full is in the env block.
 *
 * @param id the request id, unique among the requests of this proxy
 * @param method the request's method
 * @param target the request's target as it was sent, for logs
 * @param client address of the client, for logs
 * @param envBlock makes the head of the request frame, once the length of the body is known
 */
public record ExchangeRequest(
        String id, String method, String target, String client, EnvBlock envBlock) {
    private static final Set<String> IDEMPOTENT =
            Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

    /** Checks that nothing is missing. */
    public ExchangeRequest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(envBlock, "envBlock");
    }

    /**
     * Says whether the request may be started twice: RFC 9110 section 9.2.2.
     *
     * @return whether its method is idempotent
     */
    public boolean isIdempotent() {
        return IDEMPOTENT.contains(method);
    }

    /** Makes the head of a request frame. */
    @FunctionalInterface
    public interface EnvBlock {
        /**
         * Encodes env block and lengths: docs/protocol.md section 4.
         *
         * @param bodyLength octets of the body; -1 when it is not known: then nothing is said of it
         * @return the frame up to its body
         * @throws MalformedFrameException when the env block is above its limit
         */
        ByteBuffer encode(long bodyLength) throws MalformedFrameException;

        /**
         * Says what the block would say, when it is sure that it can be made: then it is made for
         * the first who wants it.
         *
         * @return the view; null when it may be too long, and has to be made to know that
         */
        default @Nullable RequestView view() {
            return null;
        }
    }
}
