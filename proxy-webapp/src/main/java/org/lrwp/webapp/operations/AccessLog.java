package org.lrwp.webapp.operations;

import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.webapp.config.LogConfig;

import java.io.IOException;
import java.time.InstantSource;

/** Writes a line for each exchange; whoever tells of one never waits. Thread-safe. */
public final class AccessLog implements ExchangeListener, AutoCloseable {
    private static final System.Logger LINES = System.getLogger("org.lrwp.access");

    private final InstantSource clock;
    private final LineLog<AccessLine> lines;
    private volatile LogConfig config;

    private AccessLog(LogConfig config, InstantSource clock) throws IOException {
        this.config = config;
        this.clock = clock;
        this.lines = LineLog.start("access-log", config, this::text, LINES, false);
    }

    /**
     * Opens the log and starts its thread.
     *
     * @param config its form and place
     * @param clock for the time of each line
     * @return the running log
     * @throws IOException when the file cannot be opened
     */
    public static AccessLog start(LogConfig config, InstantSource clock) throws IOException {
        return new AccessLog(config, clock);
    }

    private String text(AccessLine line, boolean dated) {
        return config.json() ? line.json(dated) : line.text(dated);
    }

    /**
     * Changes whether lines are written, and their form. Place, rotation and queue stay.
     *
     * @param next says both
     */
    public void use(LogConfig next) {
        config = next;
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        if (config.enabled()) {
            lines.add(new AccessLine(clock.instant(), exchange));
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
