package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The download module as a process of its own. */
public final class DownloadPeerProcess {
    private DownloadPeerProcess() {}

    /** Starts a peer that serves a folder; it dials in a moment later. */
    public static ProcessPeer start(int lrwpPort, String context, Path root, String... options)
            throws IOException {
        List<String> command = Project.java("-Xmx512m");
        command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-jar"));
        command.add(Project.root().resolve("peer-modules/download/target/download.jar").toString());
        command.addAll(List.of("--proxy", "127.0.0.1:" + lrwpPort, "--context", context));
        command.addAll(List.of("--root", root.toString()));
        command.addAll(List.of(options));
        return ProcessPeer.start(command);
    }
}
