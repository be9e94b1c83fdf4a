package org.lrwp.runtime;

import java.util.logging.LogManager;

/**
 * A log manager that keeps its handlers while the process ends. The JDK's own takes them away as
 * soon as a signal comes, and a peer that drains would do so without a word. For the JDK, which
 * creates it by name.
 */
public final class LastingLogManager extends LogManager {
    /** Creates the manager. */
    public LastingLogManager() {}

    /** Does nothing: console handlers write each record through, so nothing is left to close. */
    @Override
    public void reset() {}
}
