package org.lrwp.osp.statistics;

import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The counters as text that Prometheus reads. Any thread may call it. */
public final class CallMetrics {
    private final CallCounters counters;
    private final LongSupplier journal;
    private final LongSupplier database;

    /**
     * Creates the metrics.
     *
     * @param counters what is counted
     * @param journal tells how many bytes of records wait for the database
     * @param database tells whether the database is there: 1 or 0
     */
    public CallMetrics(CallCounters counters, LongSupplier journal, LongSupplier database) {
        this.counters = counters;
        this.journal = journal;
        this.database = database;
    }

    /**
     * Returns all values in the text format, version 0.0.4.
     *
     * @return the text
     */
    public String text() {
        CallTotals totals = counters.totals();
        StringBuilder text = new StringBuilder();
        head(text, "osp_authorisations_total", "counter", "Authorisations granted");
        line(text, "osp_authorisations_total", "", totals.authorisations());
        head(text, "osp_usages_total", "counter", "Usages reported, by side");
        line(text, "osp_usages_total", "{role=\"source\"}", totals.sourceUsages());
        line(text, "osp_usages_total", "{role=\"destination\"}", totals.destinationUsages());
        head(text, "osp_calls_total", "counter", "Calls authorised and reported by both sides");
        line(text, "osp_calls_total", "", totals.calls());
        head(text, "osp_refused_total", "counter", "Components refused, by status");
        new TreeMap<>(totals.refused())
                .forEach(
                        (code, count) ->
                                line(
                                        text,
                                        "osp_refused_total",
                                        "{status=\"" + code + "\"}",
                                        count));
        head(text, "osp_journal_bytes", "gauge", "Records that wait for the database");
        line(text, "osp_journal_bytes", "", journal.getAsLong());
        head(text, "osp_database_up", "gauge", "Whether the database took the last records");
        line(text, "osp_database_up", "", database.getAsLong());
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String name, String labels, long value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }
}
