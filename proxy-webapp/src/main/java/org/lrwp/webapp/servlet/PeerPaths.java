package org.lrwp.webapp.servlet;

/** Says which requests are for a peer, before a servlet sees them. Thread-safe, never blocks. */
@FunctionalInterface
public interface PeerPaths {
    /**
     * Judges a request. What it gets wrong costs time, not the answer. One that differs in a
     * shorter body only is judged the same.
     *
     * @param host the request's host in lower case, without port
     * @param path its path as it was sent, without anything that needs decoding
     * @param bodyLength octets of its body; 0 = none; -1 = unknown
     * @return whether it is for a peer and nothing of its way can block
     */
    boolean isForPeer(String host, String path, long bodyLength);
}
