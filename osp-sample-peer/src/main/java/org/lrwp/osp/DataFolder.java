package org.lrwp.osp;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** The option of all commands that look into a peer's folder. For picocli. */
final class DataFolder {
    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "The peer's folder. Default: " + OspPeer.DATA)
    private Path data = Path.of(OspPeer.DATA);

    DataFolder() {}

    Path path() {
        return data;
    }
}
