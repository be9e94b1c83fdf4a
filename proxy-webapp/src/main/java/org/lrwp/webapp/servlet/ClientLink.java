package org.lrwp.webapp.servlet;

/**
 * The client's connection under a request. May be called by any thread; nothing blocks. Only {@link
 * #pendingOctets} and {@link #cut} may be called when the request is complete.
 */
public interface ClientLink {
    /** A connection that can be reached through the Servlet API only. */
    ClientLink PLAIN =
            new ClientLink() {
                @Override
                public boolean hasWholeRequest() {
                    return false;
                }

                @Override
                public void prepareAnswer(String reason) {}

                @Override
                public long pendingOctets() {
                    return 0;
                }

                @Override
                public void cut(boolean reset) {}
            };

    /**
     * Returns whether the container has received the request to its end.
     *
     * @return false when it has not, or when unknown
     */
    boolean hasWholeRequest();

    /**
     * Takes the container's name out of the answer's head and sets its reason phrase.
     *
     * @param reason the phrase; empty = the usual one
     */
    void prepareAnswer(String reason);

    /**
     * Returns what the container has taken and the operating system has not.
     *
     * @return octets; 0 when unknown
     */
    long pendingOctets();

    /**
     * Ends the connection, so that the client does not take a part of an answer for the whole.
     *
     * @param reset whether it must be a reset, because neither length nor chunks tell the end
     */
    void cut(boolean reset);
}
