package org.lrwp.osp;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.configuration.BadConfigurationException;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;

/** The options of all commands that work with what a peer works with. For picocli. */
final class PeerFiles {
    @Option(names = "--config", paramLabel = "FILE", description = "Configuration")
    private @Nullable Path config;

    @Mixin private DataFolder data = new DataFolder();

    PeerFiles() {}

    OspConfiguration configuration() throws BadOptionException {
        try {
            return config == null ? OspConfiguration.usual() : OspConfiguration.read(config);
        } catch (BadConfigurationException unfit) {
            throw new BadOptionException(String.valueOf(unfit.getMessage()));
        }
    }

    Path data() {
        return data.path();
    }
}
