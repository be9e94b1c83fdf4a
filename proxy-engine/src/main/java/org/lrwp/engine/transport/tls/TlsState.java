package org.lrwp.engine.transport.tls;

/**
 * The states of a {@link TlsLink}.
 *
 * <pre>
 *   HANDSHAKE --needs a computation--> COMPUTING --it is done--> HANDSHAKE
 *       |                                  |
 *       +--over--> OPEN --shutdownOutput()--> SHUT
 *       |            \                          \
 *       |             +--a broken record---------+--> FAILED
 *       +--a fault--> REFUSED --the peer has left--> FAILED
 *
 *   each of them --close()--> CLOSED
 * </pre>
 */
enum TlsState {
    /** Waits for the peer's messages. */
    HANDSHAKE,
    /** Another thread works on the peer's messages; nothing is read meanwhile. */
    COMPUTING,
    /** Bytes go both ways. */
    OPEN,
    /** The output has ended with close_notify; bytes still come in. */
    SHUT,
    /** The handshake has failed: what comes is dropped until the peer has read the alert. */
    REFUSED,
    /** Reading and writing throw. */
    FAILED,
    /** The owner has closed it. */
    CLOSED
}
