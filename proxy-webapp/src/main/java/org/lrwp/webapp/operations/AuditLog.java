package org.lrwp.webapp.operations;

import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.webapp.config.LogConfig;

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
    private volatile LogConfig config;

    private AuditLog(LogConfig config, InstantSource clock, Supplier<String> policy)
            throws IOException {
        this.config = config;
        this.clock = clock;
        this.policy = policy;
        this.lines = LineLog.start("audit-log", config, this::text, LINES, true);
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
    public static AuditLog start(LogConfig config, InstantSource clock, Supplier<String> policy)
            throws IOException {
        return new AuditLog(config, clock, policy);
    }

    private String text(AuditLine line, boolean dated) {
        return config.json() ? line.json(dated) : line.text(dated);
    }

    /**
     * Changes the form of lines. Place, rotation and queue stay.
     *
     * @param next says it
     */
    public void use(LogConfig next) {
        config = next;
    }

    @Override
    public void record(AuditEvent event) {
        if (!config.enabled()) {
            return;
        }
        var line = new AuditLine(clock.instant(), policy.get(), event);
        // Anybody can be refused as often as he likes; what was done must not get lost by that.
        if (event.verdict() == AuditEvent.Verdict.REFUSED) {
            lines.addIfRoomy(line);
        } else {
            lines.add(line);
        }
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
