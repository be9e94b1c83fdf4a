package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.util.List;

/** The event module as a process of its own. */
public final class EventsPeerProcess {
    private EventsPeerProcess() {}

    /** Starts a peer that serves a context; it dials in a moment later. */
    public static ProcessPeer start(int lrwpPort, String context, String... options)
            throws IOException {
        List<String> command = Project.java("-Xmx512m");
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-jar"));
        command.add(Project.root().resolve("peer-modules/events/target/events.jar").toString());
        command.addAll(List.of("--proxy", "127.0.0.1:" + lrwpPort, "--context", context));
        command.addAll(List.of(options));
        return ProcessPeer.start(command);
    }
}
