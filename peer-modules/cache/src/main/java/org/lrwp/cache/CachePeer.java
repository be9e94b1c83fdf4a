package org.lrwp.cache;

import org.lrwp.runtime.ModuleProgram;

import java.util.Arrays;

/** The program: an image store that dials in to proxies, and a look into its file. */
public final class CachePeer {
    private static final String INSPECT = "inspect";

    private CachePeer() {}

    /**
     * Runs the program until it is told to end, or looks at a file, and ends the process: exit code
     * 0; 1 when a file is damaged; 2 after one sentence on standard error.
     *
     * @param arguments the command line, {@code inspect FILE} to look at a file
     */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(INSPECT)) {
            String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
            System.exit(new InspectCommand(System.out, System.err).run(rest));
        }
        System.exit(new ModuleProgram(new ImageStoreProvider()).run(arguments));
    }
}
