package org.lrwp.webapp.client;

/** Hears of the client of one request. Called by any thread; nothing blocks. */
public interface ClientListener {
    /** The client has left before it had its answer. Not every connection can tell. */
    void departed();

    /** The client takes more of its answer, or has left. */
    void writable();
}
