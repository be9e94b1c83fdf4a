package org.lrwp.webapp.operations;

import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.webapp.config.AuditLogConfig;

import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Writes a line for each decision that has to be accounted for, to a file of its own that is only
 * ever appended to. Whoever tells of one never waits; what cannot be written is dropped, counted
 * and told in the main log. Thread-safe.
 */
public final class AuditLog implements AuditTrail, AutoCloseable {
    private static final System.Logger LINES = System.getLogger("org.lrwp.audit");

    private final InstantSource clock;
    private final Supplier<String> policy;
    private final LineLog<AuditLine> lines;
    private final RefusalBudget refusals;
    private volatile AuditLogConfig config;

    private AuditLog(AuditLogConfig config, InstantSource clock, Supplier<String> policy)
            throws IOException {
        this.config = config;
        this.clock = clock;
        this.policy = policy;
        this.refusals = new RefusalBudget(config.refusalsPerHour(), clock);
        this.lines = LineLog.start("audit-log", config.lines(), new Lines(), LINES, true);
    }

    /**
     * Opens the log and starts its thread.
     *
     * @param config its form and place
     * @param clock for the time of each line
     * @param policy says by which version of the policy is decided now
     * @return the running log
     * @throws IOException when the file cannot be opened
     */
    public static AuditLog start(
            AuditLogConfig config, InstantSource clock, Supplier<String> policy)
            throws IOException {
        return new AuditLog(config, clock, policy);
    }

    private final class Lines implements LineLog.Form<AuditLine> {
        @Override
        public void write(AuditLine line, boolean dated, StringBuilder to) {
            to.append(config.lines().json() ? line.json(dated) : line.text(dated));
        }

        @Override
        public void dropped(AuditLine line) {
            refusals.untold(line.omitted());
        }
    }

    /**
     * Changes the form of lines, and how many of them may be about refusals. Place, rotation and
     * queue stay.
     *
     * @param next says it
     */
    public void use(AuditLogConfig next) {
        config = next;
        refusals.use(next.refusalsPerHour());
    }

    @Override
    public void record(AuditEvent event) {
        if (!config.lines().enabled()) {
            return;
        }
        if (event.verdict() != AuditEvent.Verdict.REFUSED || isOfTheHouse(event)) {
            lines.add(new AuditLine(clock.instant(), policy.get(), event, 0));
            return;
        }
        // Anybody can be refused as often as he likes; what was done must not get lost by that:
        // neither before it is written nor when the files rotate.
        long omitted = refusals.take();
        if (omitted >= 0) {
            lines.addIfRoomy(new AuditLine(clock.instant(), policy.get(), event, omitted));
        }
    }

    /** The proxy itself, or an operator: whoever wants a change and has proved who he is. */
    private static boolean isOfTheHouse(AuditEvent event) {
        AuditActor actor = event.actor();
        return actor.address().isEmpty()
                || (event.action() == AuditEvent.Action.CHANGE
                        && !actor.identity().equals(AuditActor.ANONYMOUS));
    }

    /**
     * Returns how many lines were dropped.
     *
     * @return lines since the start
     */
    public long dropped() {
        return lines.dropped();
    }

    /** Opens the file anew within a moment: somebody has renamed it. Never blocks. */
    public void reopen() {
        lines.reopen();
    }

    /** Writes what waits and ends the thread; waits for it up to two seconds. */
    @Override
    public void close() {
        lines.close();
    }
}
