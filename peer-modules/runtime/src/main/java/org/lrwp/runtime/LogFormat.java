package org.lrwp.runtime;

/**
 * Makes the JDK's own logging write one line for each record, and go on while the process ends,
 * unless somebody has said how.
 */
final class LogFormat {
    private static final String KEY = "java.util.logging.SimpleFormatter.format";
    private static final String LINE = "%1$tFT%1$tT.%1$tL%1$tz %4$s %5$s%6$s%n";

    private static final String MANAGER = "java.util.logging.manager";

    private LogFormat() {}

    /** Has to come before the first log line of the process; after it, it does nothing. */
    static void oneLine() {
        if (System.getProperty(KEY) == null) {
            System.setProperty(KEY, LINE);
        }
        if (System.getProperty(MANAGER) == null) {
            System.setProperty(MANAGER, LastingLogManager.class.getName());
        }
    }
}
