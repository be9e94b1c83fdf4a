package org.lrwp.acme;

import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;

import java.util.List;

/** Automatic certificates, for the proxy. */
public final class AcmeProvider implements ModuleProvider {
    /** Creates the provider. */
    public AcmeProvider() {}

    @Override
    public String type() {
        return "acme";
    }

    @Override
    public String description() {
        return "Orders and renews certificates by ACME and keeps them as files.";
    }

    @Override
    public String defaultContext() {
        return "/.well-known/acme-challenge";
    }

    @Override
    public List<Key<?>> keys() {
        return AcmeConfig.KEYS;
    }

    @Override
    public PeerModule open(ModuleSetup setup) throws BadConfigurationException {
        return CertificateModule.open(setup);
    }
}
