package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.UpgradeNames;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * What the engine needs to know of a request; its head in full is in the env block.
 *
 * @param id the request id, unique among the requests of this proxy
 * @param method the request's method
 * @param sent the request's target, for logs
 * @param client address of the client, for logs
 * @param envBlock makes the head of the request frame, once the length of the body is known
 * @param upgrades the protocols that the client offers instead of HTTP: of a GET of HTTP/1.1
 *     without body, with {@code Connection: upgrade}; {@link UpgradeNames#NONE} for all others
 * @param way who has read it and answers it, for logs; empty when that is of no interest
 * @param sticky the tag of the process that its client comes back to; empty for none
 */
public record ExchangeRequest(
        String id,
        String method,
        SentTarget sent,
        String client,
        EnvBlock envBlock,
        UpgradeNames upgrades,
        String way,
        String sticky) {
    private static final Set<String> IDEMPOTENT =
            Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

    /** Checks that nothing is missing. */
    public ExchangeRequest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(sent, "sent");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(envBlock, "envBlock");
        Objects.requireNonNull(upgrades, "upgrades");
        Objects.requireNonNull(way, "way");
        Objects.requireNonNull(sticky, "sticky");
    }

    /**
     * Creates a request that offers no other protocol, of which nobody knows who has read it.
     *
     * @param id the request id
     * @param method the request's method
     * @param target the request's target as it was sent
     * @param client address of the client
     * @param envBlock makes the head of the request frame
     */
    public ExchangeRequest(
            String id, String method, String target, String client, EnvBlock envBlock) {
        this(id, method, () -> target, client, envBlock, UpgradeNames.NONE, "", "");
    }

    /**
     * Returns the request's target.
     *
     * @return as it was sent
     */
    public String target() {
        return sent.raw();
    }

    /**
     * Returns the same request as if nothing was offered.
     *
     * @return an ordinary request
     */
    public ExchangeRequest withoutUpgrades() {
        return new ExchangeRequest(
                id, method, sent, client, envBlock, UpgradeNames.NONE, way, sticky);
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
         * Encodes env block and lengths: docs/protocol.md section 4. A request that goes to a peer
         * that takes what it offers has {@code HTTP_UPGRADE} and {@code HTTP_CONNECTION=Upgrade}.
         *
         * @param block begins and finishes the block
         * @param bodyLength bytes of the body; -1 when it is not known: then nothing is said of it
         * @param upgrade the protocols offered; empty for an ordinary request
         * @return the frame up to its body, in the memory of {@code block}
         * @throws MalformedFrameException when the env block is above its limit
         */
        ByteBuffer encode(EnvBlockWriter block, long bodyLength, String upgrade)
                throws MalformedFrameException;

        /**
         * Says what the block would say, when it is sure that it can be made: then it is made for
         * the first who wants it.
         *
         * @return the view; null when it may be too long, and has to be made to know that
         */
        default @Nullable RequestView view() {
            return null;
        }

        /**
         * Says whether {@link #encode} cannot fail for an ordinary request: then the block is not
         * made before somebody wants it.
         *
         * @return whether its length needs no look
         */
        default boolean fits() {
            return view() != null;
        }

        /**
         * Returns who follows the request.
         *
         * @return {@link RequestTrace#NONE} when nobody does
         */
        default RequestTrace trace() {
            return RequestTrace.NONE;
        }

        /**
         * Says what else a log may want to know of the request.
         *
         * @return the details, which cost nothing until they are asked
         */
        default RequestDetails details() {
            return RequestDetails.NONE;
        }
    }
}
