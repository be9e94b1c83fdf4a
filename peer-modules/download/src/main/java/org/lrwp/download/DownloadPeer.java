package org.lrwp.download;

import org.lrwp.runtime.ModuleProgram;

/** The program: a file server that dials in to proxies and serves {@code /files} there. */
public final class DownloadPeer {
    private DownloadPeer() {}

    /**
     * Runs the program until it is told to end, and ends the process: exit code 0, or 2 after one
     * sentence on standard error when an option cannot be used or the proxy refuses.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(new ModuleProgram(new DownloadProvider()).run(arguments));
    }
}
