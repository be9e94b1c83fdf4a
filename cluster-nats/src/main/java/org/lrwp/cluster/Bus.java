package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;

/** Takes messages from node to node, at most once. Thread-safe; never blocks. */
interface Bus extends AutoCloseable {
    /** Hears what comes; called by one thread at a time, and must not block. */
    interface Listener {
        /**
         * Messages can be sent and come from now on.
         *
         * @param bus by this
         */
        void up(Bus bus);

        /**
         * Nothing comes any more, and what was under way may be lost.
         *
         * @param reason for the log
         */
        void down(String reason);

        /**
         * Dialling has failed again; each reason is told once until the bus is {@link #up} again.
         *
         * @param reason for the log: of the system, or of TLS
         */
        void unreached(String reason);

        /**
         * A message has come.
         *
         * @param subject what it was sent to
         * @param answers where an answer is wanted; empty for nowhere
         * @param bytes the message
         */
        void message(String subject, String answers, byte[] bytes);

        /**
         * Nobody listens to what was sent.
         *
         * @param answers where its answer would have come
         */
        void nobody(String answers);
    }

    /**
     * Sends a message, if that can be done now.
     *
     * @param subject where it goes
     * @param answers where an answer is wanted; null for nowhere
     * @param bytes the message
     * @return false when it cannot be sent; true says only that it is on its way
     */
    boolean send(String subject, @Nullable String answers, byte[] bytes);

    @Override
    void close();
}
