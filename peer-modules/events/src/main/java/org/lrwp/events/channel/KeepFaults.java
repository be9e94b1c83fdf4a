package org.lrwp.events.channel;

import org.lrwp.files.FileFault;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * Tells the log of events that could not be kept, in one line a second at most: a full disk refuses
 * each of them. Called by whoever publishes, one at a time.
 */
final class KeepFaults {
    private static final System.Logger LOG = System.getLogger(KeepFaults.class.getName());
    private static final long BETWEEN = TimeUnit.SECONDS.toNanos(1);

    /** Faults since the last line; -1 before the first. */
    private long omitted = -1;

    private long told;

    void tell(IOException why, long nanos) {
        if (omitted >= 0 && nanos - told < BETWEEN) {
            omitted++;
            return;
        }
        LOG.log(
                Level.ERROR,
                "event-not-kept reason=\"{0}\"{1}",
                FileFault.reason(why),
                omitted > 0 ? " omitted=" + omitted : "");
        told = nanos;
        omitted = 0;
    }
}
