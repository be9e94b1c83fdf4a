package org.lrwp.webapp.operations;

import java.util.List;
import java.util.Map;

/** A context in consoles: the figures of the status page, at most a second old. */
public interface ContextMXBean {
    /**
     * Says whether a peer serves it.
     *
     * @return false in the grace time after the last one has left
     */
    boolean isServed();

    /**
     * Says whether an operator has paused it.
     *
     * @return whether new requests are refused
     */
    boolean isPaused();

    /**
     * Returns the connections of its peers.
     *
     * @return how many there are
     */
    int getConnections();

    /**
     * Returns the requests that its peers take at once.
     *
     * @return how many they are
     */
    int getSlots();

    /**
     * Returns the slots that have no request.
     *
     * @return how many they are
     */
    int getFree();

    /**
     * Returns the slots that have one.
     *
     * @return how many they are
     */
    int getBusy();

    /**
     * Returns the requests that wait for a slot.
     *
     * @return how many they are
     */
    int getWaiting();

    /**
     * Returns the peers that get nothing at present, as they have answered badly.
     *
     * @return names of their connections
     */
    List<String> getEjected();

    /**
     * Returns how often a peer was left out.
     *
     * @return the count since the context is known
     */
    long getEjections();

    /**
     * Returns its requests by what has become of them.
     *
     * @return counts by reason words
     */
    Map<String, Long> getOutcomes();

    /**
     * Returns the bytes of request bodies.
     *
     * @return since the start; -1 when the context is counted together with others
     */
    long getReceivedBytes();

    /**
     * Returns the bytes of answer bodies.
     *
     * @return since the start; -1 when the context is counted together with others
     */
    long getSentBytes();

    /**
     * Returns the moves of requests to another connection.
     *
     * @return since the start; -1 when the context is counted together with others
     */
    long getRetries();

    /**
     * Returns how long requests waited for a peer.
     *
     * @return milliseconds on average; -1 when the context is counted together with others
     */
    double getMeanQueueMillis();

    /**
     * Returns how long requests were with peers.
     *
     * @return milliseconds on average; -1 when the context is counted together with others
     */
    double getMeanPeerMillis();

    /**
     * Returns how long requests took.
     *
     * @return milliseconds on average; -1 when the context is counted together with others
     */
    double getMeanMillis();
}
