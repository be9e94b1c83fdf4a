package org.lrwp.webapp.operations;

/** What an operator sees of a proxy and does to it by JMX. */
public interface ProxyControlMXBean {
    /**
     * Returns the version of the proxy.
     *
     * @return a version
     */
    String getVersion();

    /**
     * Returns whether new requests are turned away.
     *
     * @return true from {@link #drain} on
     */
    boolean isDraining();

    /**
     * Returns how many requests are in flight.
     *
     * @return a count
     */
    int getInFlight();

    /**
     * Returns how many connections of peers there are.
     *
     * @return a count
     */
    int getPeers();

    /**
     * Turns new requests and peers away (503 with {@code Connection: close}; not ready) and waits
     * until those in flight have ended, at most {@code drain-time}. There is no way back but a new
     * start.
     */
    void drain();

    /**
     * Opens the files of access log and audit log anew, for whoever rotates them: after they have
     * been renamed. Returns at once; it is done within a second.
     */
    void reopenLogs();
}
