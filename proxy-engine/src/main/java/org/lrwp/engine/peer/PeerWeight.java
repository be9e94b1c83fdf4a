package org.lrwp.engine.peer;

/**
 * How much a connection gets beside others of its context: of two with the same capacity the one
 * with twice the weight has twice the requests. Its identity has a weight, and an operator may set
 * another for the connection, or drain the peer. Thread-safe.
 */
public final class PeerWeight {
    /** What a connection has about which nothing was said. */
    public static final int USUAL = 100;

    /** The largest. */
    public static final int MOST = 1000;

    private static final int UNSET = -1;

    private volatile int ofIdentity = USUAL;
    private volatile int ofOperator = UNSET;
    private volatile boolean drained;

    /** Creates the usual weight. */
    public PeerWeight() {}

    /**
     * Returns the weight.
     *
     * @return 0 to {@link #MOST}; 0 = no new request, but for clients that come back to its process
     */
    public int value() {
        if (drained) {
            return 0;
        }
        int ordered = ofOperator;
        return ordered == UNSET ? ofIdentity : ordered;
    }

    /**
     * Sets the weight of the identity.
     *
     * @param weight 0 to {@link #MOST}
     */
    public void ofIdentity(int weight) {
        ofIdentity = weight;
    }

    /**
     * Makes it 0 for a while, whatever else was said.
     *
     * @param now whether it is
     */
    public void drain(boolean now) {
        drained = now;
    }

    /**
     * Sets a weight for as long as the connection lives.
     *
     * @param weight 0 to {@link #MOST}
     */
    public void order(int weight) {
        ofOperator = weight;
    }
}
