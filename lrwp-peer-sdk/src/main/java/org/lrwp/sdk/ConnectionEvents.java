package org.lrwp.sdk;

/** What a connection of LRWP 3 tells whoever keeps it up. Called by its reader. */
interface ConnectionEvents {
    /** The proxy serves, or no longer serves, one more context over this connection. */
    void served(String context, boolean now);

    /** The proxy refused a context. */
    void contextRefused(String context, String text);

    /** The proxy wants to leave: no new requests come on this connection. */
    void draining();

    /** A handler failed. */
    void handlerFailed(Throwable cause);
}
