package org.lrwp.events;

import org.lrwp.runtime.ModuleProgram;

/** The program: channels of events that dial in to proxies and are at {@code /events} there. */
public final class EventsPeer {
    /** Each client that waits is a request under way. */
    private static final int CONCURRENCY = 16_384;

    private EventsPeer() {}

    /**
     * Runs the program until it is told to end, and ends the process: exit code 0, or 2 after one
     * sentence on standard error when an option cannot be used or the proxy refuses.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(new ModuleProgram(new EventsProvider(), CONCURRENCY).run(arguments));
    }
}
