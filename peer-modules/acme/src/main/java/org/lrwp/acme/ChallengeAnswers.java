package org.lrwp.acme;

import org.shredzone.acme4j.challenge.Challenge;

import java.io.IOException;

/** Shows the answers to challenges while they are pending. */
interface ChallengeAnswers {
    /** The type of the challenges, as RFC 8555 section 9.7.8 has it. */
    String type();

    /**
     * Shows the answer to a challenge.
     *
     * @param name the DNS name to be proved
     */
    void show(String name, Challenge challenge) throws IOException;

    /** Shows it no longer. */
    void remove(String name, Challenge challenge) throws IOException;
}
