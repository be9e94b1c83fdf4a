package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;

import java.net.UnknownHostException;
import java.time.Duration;

/**
 * Something that happened to one of a peer's connections.
 *
 * <pre>
 *   Connecting --> Registered --> Lost --> Retrying --> Connecting ...
 *        |             +--------> Closed
 *        |             +--------> Draining --> Connecting ...
 *        +--> Refused --> Retrying
 *        +--> Lost -----> Retrying
 *        +--> Downgraded --> Connecting
 * </pre>
 *
 * <p>{@code Closed} is the last event of a connection; {@code HandlerFailed} may come while it is
 * registered, {@code Unresolved} has no connection yet. A connection of LRWP 3 serves all contexts:
 * {@code Registered} comes for each of them, {@code Refused} for those that the proxy does not
 * grant, {@code Unregistered} for those that were given up.
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
     * @param text the proxy's words, one byte per character, as they came: escape them in logs;
     *     with a remark when the peer could have gone on with an older version
     */
    record Refused(PeerLink link, String text) implements PeerEvent {}

    /**
     * A context that was given up is no longer served over the connection, which goes on.
     *
     * @param link the connection
     */
    record Unregistered(PeerLink link) implements PeerEvent {}

    /**
     * The proxy does not speak the version; an older one is tried at once.
     *
     * @param link the connection
     * @param from the version that was tried
     * @param to the version that is tried next
     * @param text the proxy's words, as they came: escape them in logs; {@code silence} when it
     *     said nothing
     */
    record Downgraded(PeerLink link, ProtocolVersion from, ProtocolVersion to, String text)
            implements PeerEvent {}

    /**
     * The proxy goes down, or wants to be rid of the connection: it sends no new requests on it.
     * Those under way are answered, and another connection is dialled.
     *
     * @param link the connection
     */
    record Draining(PeerLink link) implements PeerEvent {}

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
