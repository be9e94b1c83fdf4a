package org.lrwp.acme;

import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.testkit.Configurations;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Settings of a module in a test. */
final class Settings {
    private Settings() {}

    /** What has to be set, and more. */
    static ModuleSetup setup(Path folder, String... more) throws BadConfigurationException {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "names=a.test, b.test",
                                "folder=" + folder.resolve("acme"),
                                "terms-agreed=true",
                                "directory=http://127.0.0.1:9/directory"));
        all.addAll(List.of(more));
        return new ModuleSetup(
                "certificates",
                List.of("/.well-known/acme-challenge"),
                Configurations.of(AcmeConfig.KEYS, all.toArray(String[]::new)));
    }

    static AcmeConfig config(Path folder, String... more) throws BadConfigurationException {
        return AcmeConfig.from(setup(folder, more).configuration().values());
    }
}
