package org.lrwp.osp;

import picocli.CommandLine.IVersionProvider;

import java.util.Optional;

/** The version of the jar this program runs from. For picocli, which creates it. */
final class BuildVersion implements IVersionProvider {
    BuildVersion() {}

    @Override
    public String[] getVersion() {
        String version =
                Optional.ofNullable(OspPeer.class.getPackage().getImplementationVersion())
                        .orElse("(not run from its jar)");
        return new String[] {"osp-peer " + version};
    }
}
