package org.lrwp.testkit;

import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Configurations that a test writes. */
public final class Configurations {
    private Configurations() {}

    /**
     * Opens a configuration without a file.
     *
     * @param keys all that can be set
     * @param settings what is set, each as {@code name=value}; the last of a name counts
     * @return the configuration
     * @throws BadConfigurationException when the settings are not allowed
     */
    public static Configuration of(List<Key<?>> keys, String... settings)
            throws BadConfigurationException {
        Origin origin = new Origin(Origin.Kind.START, "test");
        Map<String, Setting> start = new HashMap<>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            String name = setting.substring(0, equals);
            start.put(name, new Setting(setting.substring(equals + 1), origin));
        }
        return Configuration.open(keys, start, null);
    }
}
