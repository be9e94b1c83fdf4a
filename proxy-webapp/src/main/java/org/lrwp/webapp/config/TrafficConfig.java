package org.lrwp.webapp.config;

import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The traffic rules of all contexts.
 *
 * @param defaults for contexts that have none of their own
 * @param named by context as users write it, for example {@code /osp}
 * @param streams answers that are compressed at once, at least 1
 * @param inspector what holds for all that is inspected
 * @param clients clients that are told apart at once, at least 1; further ones count as one
 */
public record TrafficConfig(
        TrafficRules defaults,
        Map<String, TrafficRules> named,
        int streams,
        InspectorConfig inspector,
        int clients) {
    /** No context has rules. */
    public static final TrafficConfig NONE =
            new TrafficConfig(TrafficRules.NONE, Map.of(), 1, InspectorConfig.NONE, 1);

    /** Checks and copies. */
    public TrafficConfig {
        Objects.requireNonNull(defaults, "defaults");
        Objects.requireNonNull(inspector, "inspector");
        named = Map.copyOf(named);
        if (clients < 1 || streams < 1) {
            throw new IllegalArgumentException("clients " + clients + ", streams " + streams);
        }
    }

    /**
     * Says how answers are compressed anywhere.
     *
     * @return each coding once
     */
    public Set<Coding> codings() {
        Set<Coding> all = EnumSet.noneOf(Coding.class);
        all.addAll(defaults.compression().codings());
        named.values().forEach(rules -> all.addAll(rules.compression().codings()));
        return all;
    }

    /**
     * Returns the rules of a context.
     *
     * @param context as users write it
     * @return its own or the defaults
     */
    public TrafficRules of(String context) {
        return named.isEmpty() ? defaults : named.getOrDefault(context, defaults);
    }
}
