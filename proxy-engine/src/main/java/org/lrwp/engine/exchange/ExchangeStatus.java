package org.lrwp.engine.exchange;

/**
 * One request in flight, for status pages.
 *
 * @param id the request id
 * @param context the context as users write it
 * @param method the request's method
 * @param target the request's target as it was sent
 * @param state where it is
 * @param peer the peer that has it, empty when none has
 * @param ageNanos time since its head arrived, in nanoseconds
 */
public record ExchangeStatus(
        String id,
        String context,
        String method,
        String target,
        ExchangeState state,
        String peer,
        long ageNanos) {}
