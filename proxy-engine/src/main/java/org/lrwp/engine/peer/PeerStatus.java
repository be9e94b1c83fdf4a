package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.ExchangeStatus;

import java.util.List;

/**
 * A picture of one connection of a peer, for status pages.
 *
 * @param name of the connection
 * @param identity whose it is, by name; empty when that is not known here
 * @param proof by what the identity is known; empty for nothing
 * @param instance the process, as its peer has named it; empty when it has not
 * @param program what the peer calls itself, at most 200 bytes of anything; empty when it does not
 * @param version protocol version
 * @param contexts what it serves
 * @param state what it is doing
 * @param capacity requests it can have at once
 * @param busy requests it has
 * @param weight how much it gets beside others: {@link PeerWeight}
 * @param served requests it has answered
 * @param ageNanos time since it was let in, in nanoseconds
 * @param stuck requests that were cancelled and that the peer has not let go of
 */
public record PeerStatus(
        String name,
        String identity,
        String proof,
        String instance,
        String program,
        String version,
        List<ServedContext> contexts,
        String state,
        int capacity,
        int busy,
        int weight,
        long served,
        long ageNanos,
        List<ExchangeStatus> stuck) {
    /** Copies the lists. */
    public PeerStatus {
        contexts = List.copyOf(contexts);
        stuck = List.copyOf(stuck);
    }

    /**
     * Adds whose it is.
     *
     * @param peer name of the identity
     * @param by what the identity is known
     * @return the same otherwise
     */
    public PeerStatus of(String peer, String by) {
        return new PeerStatus(
                name, peer, by, instance, program, version, contexts, state, capacity, busy, weight,
                served, ageNanos, stuck);
    }

    /**
     * Adds what the peer calls itself.
     *
     * @param text as its settings say
     * @return the same otherwise
     */
    public PeerStatus calling(String text) {
        return new PeerStatus(
                name, identity, proof, instance, text, version, contexts, state, capacity, busy,
                weight, served, ageNanos, stuck);
    }

    /**
     * Adds since when it is there.
     *
     * @param nanos time since it was let in, in nanoseconds
     * @return the same otherwise
     */
    public PeerStatus aged(long nanos) {
        return new PeerStatus(
                name, identity, proof, instance, program, version, contexts, state, capacity, busy,
                weight, served, nanos, stuck);
    }

    /**
     * Adds how much it gets beside others.
     *
     * @param its weight
     * @return the same otherwise
     */
    public PeerStatus weighing(int its) {
        return new PeerStatus(
                name, identity, proof, instance, program, version, contexts, state, capacity, busy,
                its, served, ageNanos, stuck);
    }
}
