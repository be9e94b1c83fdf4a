package org.lrwp.engine.agent;

/**
 * How many peers there may be, and how fast they may register.
 *
 * @param connections registered connections at once; above it a new one is closed
 * @param perAddress the same for one remote address
 * @param unregistered connections at once that have not registered; above it the one that has been
 *     silent longest is closed
 * @param wrongProofs wrong proofs from one address within a minute; above it each refusal waits
 *     longer
 * @param registrationsPerSecond registrations of one identity a second; above it the answer waits
 * @param registrationBurst registrations of one identity at once, before the rate counts
 * @param refusalLines lines of the log a second about refused registrations, after the first ten
 *     times as many; those above it are counted. 0 = any number
 */
public record PeerLimits(
        int connections,
        int perAddress,
        int unregistered,
        int wrongProofs,
        int registrationsPerSecond,
        int registrationBurst,
        int refusalLines) {
    /** Checks that none is below 1, and the last one not below 0. */
    public PeerLimits {
        if (connections < 1 || perAddress < 1 || unregistered < 1) {
            throw new IllegalArgumentException(
                    "connections "
                            + connections
                            + ", perAddress "
                            + perAddress
                            + ", unregistered "
                            + unregistered);
        }
        if (refusalLines < 0) {
            throw new IllegalArgumentException("refusalLines " + refusalLines + " is below 0");
        }
        if (wrongProofs < 1 || registrationsPerSecond < 1 || registrationBurst < 1) {
            throw new IllegalArgumentException(
                    "wrongProofs "
                            + wrongProofs
                            + ", registrationsPerSecond "
                            + registrationsPerSecond
                            + ", registrationBurst "
                            + registrationBurst);
        }
    }
}
