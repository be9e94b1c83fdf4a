package org.lrwp.osp.statistics;

import java.util.Map;
import java.util.TreeMap;

/**
 * What the counters stood at.
 *
 * @param authorisations authorisations granted
 * @param sourceUsages usages reported by the calling side
 * @param destinationUsages usages reported by the called side
 * @param refused components refused, by status code; those that never happened are left out
 */
record CallTotals(
        long authorisations,
        long sourceUsages,
        long destinationUsages,
        Map<Integer, Long> refused) {
    static final CallTotals ZERO = new CallTotals(0, 0, 0, Map.of());

    CallTotals {
        refused = Map.copyOf(refused);
    }

    /** Whole calls: each is an authorisation and a usage from either side. */
    long calls() {
        return Math.min(authorisations, Math.min(sourceUsages, destinationUsages));
    }

    long allRefused() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }

    CallTotals minus(CallTotals earlier) {
        Map<Integer, Long> since = new TreeMap<>();
        refused.forEach(
                (code, count) -> {
                    long more = count - earlier.refused.getOrDefault(code, 0L);
                    if (more > 0) {
                        since.put(code, more);
                    }
                });
        return new CallTotals(
                authorisations - earlier.authorisations,
                sourceUsages - earlier.sourceUsages,
                destinationUsages - earlier.destinationUsages,
                since);
    }

    String keysAndValues() {
        StringBuilder text = new StringBuilder();
        text.append("authorisations=").append(authorisations);
        text.append(" source-usages=").append(sourceUsages);
        text.append(" destination-usages=").append(destinationUsages);
        text.append(" refused=").append(allRefused());
        new TreeMap<>(refused)
                .forEach((code, count) -> text.append(" refused-" + code + "=" + count));
        return text.toString();
    }
}
