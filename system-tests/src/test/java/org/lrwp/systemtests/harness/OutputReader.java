package org.lrwp.systemtests.harness;

/**
 * Threads that read what a process prints. They are no virtual threads: a read of a pipe holds the
 * carrier, its replacement ends when it was idle for 30 seconds, and then no virtual thread runs
 * any more.
 */
final class OutputReader {
    private OutputReader() {}

    static void start(Runnable reader) {
        Thread.ofPlatform().daemon().name("output of a process").start(reader);
    }
}
