package org.lrwp.sdk;

import java.net.UnknownHostException;
import java.time.Duration;

/**
 * Something that happened to one of a peer's connections.
 *
 * <pre>
 *   Connecting --> Registered --> Lost --> Retrying --> Connecting ...
 *        |             +--------> Closed
 *        +--> Refused --> Retrying
 *        +--> Lost -----> Retrying
 * </pre>
 *
 * <p>{@code Closed} is the last event of a connection; {@code HandlerFailed} may come while it is
 * registered, {@code Unresolved} has no connection yet.
 */
public sealed interface PeerEvent {
    /**
     * A proxy is being dialled.
     *
     * @param link the connection
     */
    record Connecting(PeerLink link) implements PeerEvent {}

    /**
     * The proxy has accepted the registration; requests follow.
     *
     * @param link the connection
     */
    record Registered(PeerLink link) implements PeerEvent {}

    /**
     * The proxy has refused the registration.
     *
     * @param link the connection
     * @param text the proxy's words, one octet per character, as they came: escape them in logs
     */
    record Refused(PeerLink link, String text) implements PeerEvent {}

    /**
     * The proxy cannot be reached, or the connection broke.
     *
     * @param link the connection
     * @param cause an {@code IOException}, or a {@code MalformedFrameException} when the proxy sent
     *     what the protocol does not allow
     */
    record Lost(PeerLink link, Exception cause) implements PeerEvent {}

    /**
     * A proxy's name has no address; it is looked up again later.
     *
     * @param proxy the proxy
     * @param cause what the name service said
     */
    record Unresolved(ProxyAddress proxy, UnknownHostException cause) implements PeerEvent {}

    /**
     * The connection is tried again later.
     *
     * @param link the connection
     * @param delay how much later
     */
    record Retrying(PeerLink link, Duration delay) implements PeerEvent {}

    /**
     * The handler threw instead of answering, or answered what cannot be sent; the client got 500.
     *
     * @param link the connection
     * @param cause what it threw
     */
    record HandlerFailed(PeerLink link, Throwable cause) implements PeerEvent {}

    /**
     * The connection has ended for good: the peer leaves, or the proxy's name no longer has this
     * address.
     *
     * @param link the connection
     */
    record Closed(PeerLink link) implements PeerEvent {}
}
