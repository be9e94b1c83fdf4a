package org.lrwp.webapp.files;

/** Told how a part of a file fares. Called by any thread, one at a time; must not block. */
public interface SendListener {
    /**
     * The system has taken bytes.
     *
     * @param bytes how many more
     */
    void sent(long bytes);

    /**
     * Nothing more is sent of this part; the last call.
     *
     * @param end why
     */
    void ended(SendEnd end);
}
