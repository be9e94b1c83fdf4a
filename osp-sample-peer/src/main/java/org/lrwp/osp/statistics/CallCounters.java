package org.lrwp.osp.statistics;

import io.prometheus.metrics.model.snapshots.Labels;

import org.lrwp.osp.message.Status;
import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.runtime.module.Figure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what calls are made of. Any thread may call it. */
public final class CallCounters {
    private static final String AUTHORISATION = "AuthorizationRequest";
    private static final Set<String> COMPONENTS =
            Set.of(
                    AUTHORISATION,
                    "ReauthorizationRequest",
                    "AuthorizationIndication",
                    "UsageIndication",
                    "CapabilitiesIndication",
                    "PricingIndication");
    private static final String MODULE = "module";
    private static final String STATUS = "status";
    private static final String SUCCESS = Integer.toString(Status.SUCCESS.code());

    private final LongAdder authorisations = new LongAdder();
    private final LongAdder sourceUsages = new LongAdder();
    private final LongAdder destinationUsages = new LongAdder();
    private final StatusCounts answers = new StatusCounts();
    private final StatusCounts signatures = new StatusCounts();

    /** Creates counters that stand at zero. */
    public CallCounters() {}

    /**
     * Counts a component that was answered.
     *
     * @param component its canonical name; all that are not known count together
     * @param status of the answer
     */
    public void answered(String component, Status status) {
        answers.add(COMPONENTS.contains(component) ? component : "other", status);
        if (component.equals(AUTHORISATION) && status == Status.SUCCESS) {
            authorisations.increment();
        }
    }

    /**
     * Counts a signature that was checked.
     *
     * @param of what was signed: {@code message} or {@code token}
     * @param status what came out
     */
    public void checked(String of, Status status) {
        signatures.add(of, status);
    }

    /** Counts a usage reported by the calling side. */
    public void sourceUsage() {
        sourceUsages.increment();
    }

    /** Counts a usage reported by the called side. */
    public void destinationUsage() {
        destinationUsages.increment();
    }

    /**
     * Returns all counts as figures.
     *
     * @return what calls are made of, calls themselves and refusals of all reasons
     */
    public List<Figure> figures() {
        CallTotals totals = totals();
        return List.of(
                Figure.counter(
                        "authorisations",
                        totals.authorisations(),
                        "answers",
                        "Authorisations granted."),
                Figure.counter(
                        "sourceUsages",
                        totals.sourceUsages(),
                        "usages",
                        "Usages reported by calling sides."),
                Figure.counter(
                        "destinationUsages",
                        totals.destinationUsages(),
                        "usages",
                        "Usages reported by called sides."),
                Figure.counter(
                        "calls",
                        totals.calls(),
                        "calls",
                        "Calls authorised and reported by both sides."),
                Figure.counter("refused", totals.allRefused(), "answers", "Components refused."));
    }

    /**
     * Returns all counts.
     *
     * @return keys and values
     */
    @Override
    public String toString() {
        CallTotals totals = totals();
        return totals.calls() + " " + totals.keysAndValues();
    }

    /**
     * Adds what Prometheus reads.
     *
     * @param scrape takes it
     * @param module name of the server among all modules
     */
    public void metrics(Scrape scrape, String module) {
        CallTotals totals = totals();
        String usages = "Usages reported, by the side that reports them.";
        scrape.counter(
                "lrwp_osp_usages",
                usages,
                Labels.of(MODULE, module, "role", "source"),
                totals.sourceUsages());
        scrape.counter(
                "lrwp_osp_usages",
                usages,
                Labels.of(MODULE, module, "role", "destination"),
                totals.destinationUsages());
        scrape.counter(
                "lrwp_osp_calls",
                "Calls authorised and reported by both sides.",
                Labels.of(MODULE, module),
                totals.calls());
        answers.each(
                (component, status, count) ->
                        scrape.counter(
                                "lrwp_osp_answers",
                                "Components answered, by the status code of the answer.",
                                Labels.of(MODULE, module, "component", component, STATUS, status),
                                count));
        signatures.each(
                (of, status, count) ->
                        scrape.counter(
                                "lrwp_osp_signature_checks",
                                "Signatures checked, by the status code that came out.",
                                Labels.of(MODULE, module, "of", of, STATUS, status),
                                count));
    }

    CallTotals totals() {
        Map<Integer, Long> byReason = new TreeMap<>();
        answers.each(
                (component, status, count) -> {
                    if (!status.equals(SUCCESS)) {
                        byReason.merge(Integer.valueOf(status), count, Long::sum);
                    }
                });
        return new CallTotals(
                authorisations.sum(), sourceUsages.sum(), destinationUsages.sum(), byReason);
    }
}
