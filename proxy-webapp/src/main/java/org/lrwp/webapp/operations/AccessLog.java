package org.lrwp.webapp.operations;

import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.webapp.config.AccessLogConfig;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Writes a line for each exchange, and one in the slow log for each that took too long; whoever
 * tells of one never waits. Thread-safe.
 */
public final class AccessLog implements ExchangeListener, AutoCloseable {
    private static final System.Logger LINES = System.getLogger("org.lrwp.access");
    private static final System.Logger SLOW_LINES = System.getLogger("org.lrwp.slow");
    private static final int SWITCHING_PROTOCOLS = 101;

    private final InstantSource clock;
    private final LineLog<AccessLine> lines;
    private final LineLog<AccessLine> slow;
    private final Sample sample = new Sample();
    private volatile AccessLogConfig config;

    private AccessLog(AccessLogConfig config, InstantSource clock) throws IOException {
        this.config = config;
        this.clock = clock;
        this.lines = LineLog.start("access-log", config.lines(), this::write, LINES, false);
        try {
            this.slow =
                    LineLog.start("slow-log", config.slow(), this::writeSlow, SLOW_LINES, false);
        } catch (IOException e) {
            lines.close();
            throw e;
        }
    }

    /**
     * Opens the logs and starts their threads.
     *
     * @param config their forms and places
     * @param clock for the time of each line
     * @return the running log
     * @throws IOException when a file cannot be opened
     */
    public static AccessLog start(AccessLogConfig config, InstantSource clock) throws IOException {
        return new AccessLog(config, clock);
    }

    private void write(AccessLine line, boolean dated, StringBuilder to) {
        AccessLogConfig now = config;
        switch (now.lines().form()) {
            case TEXT -> line.text(dated, to);
            case JSON -> to.append(line.json(dated));
            case COMBINED -> CombinedLine.text(line, to);
            case OWN -> OwnLine.text(line, now.template(), to);
        }
    }

    private void writeSlow(AccessLine line, boolean dated, StringBuilder to) {
        if (config.slow().json()) {
            to.append(line.slowJson(dated));
        } else {
            line.slowText(dated, to);
        }
    }

    /**
     * Changes which lines are written, and their forms. Places, rotation and queues stay.
     *
     * @param next says all of it
     */
    public void use(AccessLogConfig next) {
        config = next;
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        AccessLogConfig now = config;
        boolean late = isLate(exchange, now.slowTime());
        boolean written = now.lines().enabled() && (late || sample.takes(exchange, now.oneIn()));
        if (written || late) {
            var line = new AccessLine(clock.instant(), exchange);
            if (written) {
                lines.add(line);
            }
            if (late) {
                slow.add(line);
            }
        }
    }

    /** A tunnel lasts as long as its two ends want: that is not slow. */
    private static boolean isLate(ExchangeRecord exchange, Duration limit) {
        return !limit.isZero()
                && exchange.totalNanos() > limit.toNanos()
                && exchange.status() != SWITCHING_PROTOCOLS;
    }

    /**
     * Returns how many lines were dropped, of both logs.
     *
     * @return lines since the start
     */
    public long dropped() {
        return lines.dropped() + slow.dropped();
    }

    /** Opens the files anew within a moment: somebody has renamed them. Never blocks. */
    public void reopen() {
        lines.reopen();
        slow.reopen();
    }

    /** Writes what waits and ends the threads; waits for each up to two seconds. */
    @Override
    public void close() {
        lines.close();
        slow.close();
    }
}
