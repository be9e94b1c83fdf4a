package org.lrwp.sdk;

/** What the author of a peer has written, of whichever kind. */
sealed interface PeerHandler {
    /** Answers on a thread of its own. */
    record Blocking(RequestHandler handler) implements PeerHandler {}

    /** Answers by events. */
    record Asynchronous(ExchangeHandler handler) implements PeerHandler {}
}
