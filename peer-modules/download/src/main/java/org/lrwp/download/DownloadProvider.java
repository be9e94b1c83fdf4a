package org.lrwp.download;

import org.lrwp.download.policy.DownloadKeys;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;

import java.util.List;

/** The download module. */
public final class DownloadProvider implements ModuleProvider {
    /** Creates the provider; found as a service. */
    public DownloadProvider() {}

    @Override
    public String type() {
        return "download";
    }

    @Override
    public String description() {
        return "Serves the files of a folder, as fast as their class, client and request may.";
    }

    @Override
    public String defaultContext() {
        return "/files";
    }

    @Override
    public List<Key<?>> keys() {
        return DownloadKeys.all();
    }

    @Override
    public PeerModule open(ModuleSetup setup) throws BadConfigurationException {
        return DownloadModule.open(setup);
    }
}
