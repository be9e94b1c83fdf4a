package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * A picture of one context, for status pages.
 *
 * @param context as users write it
 * @param virtualHost the only host it serves, empty for every host
 * @param served whether at least one peer serves it now
 * @param connections connections that serve it
 * @param slots requests its peers can have at once
 * @param free slots that have none
 * @param busy slots that have one
 * @param paused what its clients are told; null when it is not paused
 * @param waiting requests that wait for a slot
 * @param ejected connections whose peer gets nothing at present, as it has answered badly
 * @param ejections how often a peer has been left out so far
 * @param sticky answers so far by where their client's cookie led: {@code home}, {@code moved} or
 *     {@code new}; empty where clients do not come back to a process
 * @param outcomes requests ended so far, by {@code answered} or the word of the failure
 */
public record ContextStatus(
        String context,
        String virtualHost,
        boolean served,
        int connections,
        int slots,
        int free,
        int busy,
        @Nullable Pause paused,
        int waiting,
        List<String> ejected,
        long ejections,
        Map<String, Long> sticky,
        Map<String, Long> outcomes) {
    /** Copies list and maps. */
    public ContextStatus {
        ejected = List.copyOf(ejected);
        sticky = Map.copyOf(sticky);
        outcomes = Map.copyOf(outcomes);
    }
}
