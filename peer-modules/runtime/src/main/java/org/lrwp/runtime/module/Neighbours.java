package org.lrwp.runtime.module;

/**
 * The modules of the same name at the other nodes of a cluster of proxies, and a way to tell them
 * something. What is told arrives at most once and in order; who misses something is told so.
 * Thread-safe; never blocks.
 */
public interface Neighbours {
    /**
     * The modules of one node, in one life of that node.
     *
     * @param node the name of its proxy in the cluster
     * @param epoch another one after each start of the proxy; a module that is replaced while the
     *     proxy runs keeps it, and the numbers of its words go on
     */
    record Origin(String node, long epoch) {}

    /** Hears the others; called by one thread at a time, and must not block. */
    interface Listener {
        /**
         * One of the others has told something.
         *
         * @param origin who
         * @param number of the word, from 1 on; what lies between it and the one before was missed
         * @param word what was told
         */
        void heard(Origin origin, long number, byte[] word);

        /**
         * Words of one of the others are lost.
         *
         * @param origin whose
         * @param last the number of the last one
         */
        void missed(Origin origin, long last);

        /**
         * One of the others was there before this one; or one of this very node, which this one
         * replaces.
         *
         * @param origin who
         * @param last the number of the last word it had told by then
         */
        void found(Origin origin, long last);
    }

    /** Tells the others. */
    @FunctionalInterface
    interface Voice {
        /**
         * Tells all others, if they can be reached now. What cannot be told they will know that
         * they have missed.
         *
         * @param word what
         * @return the number of the word
         */
        long tell(byte[] word);
    }

    /**
     * Returns who this one is.
     *
     * @return always the same
     */
    Origin self();

    /**
     * Begins to hear the others; at most once, while the module is opened.
     *
     * @param listener hears them
     * @return tells them
     */
    Voice join(Listener listener);
}
