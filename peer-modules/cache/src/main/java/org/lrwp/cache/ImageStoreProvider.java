package org.lrwp.cache;

import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;

import java.util.List;

/** The image store, for the proxy and for programs. */
public final class ImageStoreProvider implements ModuleProvider {
    /** Creates the provider. */
    public ImageStoreProvider() {}

    @Override
    public String type() {
        return "cache";
    }

    @Override
    public String description() {
        return "Keeps images under decimal ids in shared memory and serves them.";
    }

    @Override
    public String defaultContext() {
        return "/img";
    }

    @Override
    public List<Key<?>> keys() {
        return StoreConfig.KEYS;
    }

    @Override
    public PeerModule open(ModuleSetup setup) throws BadConfigurationException {
        return ImageStore.open(setup);
    }
}
