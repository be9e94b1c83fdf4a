package org.lrwp.osp.statistics;

/**
 * What the counters stood at.
 *
 * @param authorisations authorisations granted
 * @param sourceUsages usages reported by the calling side
 * @param destinationUsages usages reported by the called side
 * @param refused components refused
 */
record CallTotals(long authorisations, long sourceUsages, long destinationUsages, long refused) {
    static final CallTotals ZERO = new CallTotals(0, 0, 0, 0);

    /** Whole calls: each is an authorisation and a usage from either side. */
    long calls() {
        return Math.min(authorisations, Math.min(sourceUsages, destinationUsages));
    }

    CallTotals minus(CallTotals earlier) {
        return new CallTotals(
                authorisations - earlier.authorisations,
                sourceUsages - earlier.sourceUsages,
                destinationUsages - earlier.destinationUsages,
                refused - earlier.refused);
    }

    String keysAndValues() {
        return "authorisations="
                + authorisations
                + " source-usages="
                + sourceUsages
                + " destination-usages="
                + destinationUsages
                + " refused="
                + refused;
    }
}
