package org.lrwp.webapp.container;

import org.glassfish.grizzly.config.dom.Http;

/**
 * How long the container keeps a connection open between requests.
 *
 * @param idleMillis milliseconds without a request; 0 = without end
 * @param mostRequests requests on one connection; -1 = any number; 0 and 1 = one
 */
public record KeepAliveLimits(long idleMillis, int mostRequests) {
    /** No limits. */
    static final KeepAliveLimits NONE = new KeepAliveLimits(0, -1);

    private static final long MILLIS = 1000;

    /** Checks the numbers. */
    public KeepAliveLimits {
        if (idleMillis < 0 || mostRequests < -1) {
            throw new IllegalArgumentException("negative limit of a connection");
        }
    }

    /** Those of the container's configuration, with its own sense of numbers below 0. */
    static KeepAliveLimits of(Http settings) {
        long seconds = Integer.parseInt(settings.getTimeoutSeconds());
        int requests = Integer.parseInt(settings.getMaxConnections());
        return new KeepAliveLimits(Math.max(0, seconds) * MILLIS, Math.max(-1, requests));
    }

    /**
     * Says whether a connection has had its last request.
     *
     * @param requests how many it has had
     * @return whether no other one may follow
     */
    public boolean areReached(int requests) {
        return mostRequests >= 0 && requests >= mostRequests;
    }
}
