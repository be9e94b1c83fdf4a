package org.lrwp.webapp.metrics;

import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the audit log takes down. Thread-safe; never blocks. */
public final class AuditMetrics implements AuditTrail {
    private final AuditTrail next;
    private final Map<AuditEvent.Action, Map<AuditEvent.Verdict, LongAdder>> counts =
            new EnumMap<>(AuditEvent.Action.class);

    /**
     * Creates it without an event.
     *
     * @param next is told after this
     */
    public AuditMetrics(AuditTrail next) {
        this.next = next;
        for (AuditEvent.Action action : AuditEvent.Action.values()) {
            Map<AuditEvent.Verdict, LongAdder> verdicts = new EnumMap<>(AuditEvent.Verdict.class);
            for (AuditEvent.Verdict verdict : AuditEvent.Verdict.values()) {
                verdicts.put(verdict, new LongAdder());
            }
            counts.put(action, verdicts);
        }
    }

    @Override
    public void record(AuditEvent event) {
        Map<AuditEvent.Verdict, LongAdder> verdicts =
                Objects.requireNonNull(counts.get(event.action()));
        Objects.requireNonNull(verdicts.get(event.verdict())).increment();
        next.record(event);
    }

    /** Takes counts. */
    @FunctionalInterface
    public interface Counts {
        /**
         * Takes the count of an action and a verdict.
         *
         * @param action what was wanted
         * @param verdict what was decided
         * @param count how often
         */
        void add(AuditEvent.Action action, AuditEvent.Verdict verdict, long count);
    }

    /**
     * Gives all counts.
     *
     * @param taker called for each action and verdict, on this thread
     */
    public void counts(Counts taker) {
        counts.forEach(
                (action, verdicts) ->
                        verdicts.forEach(
                                (verdict, counter) -> taker.add(action, verdict, counter.sum())));
    }
}
