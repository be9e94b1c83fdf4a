package org.lrwp.download.testkit;

import org.lrwp.download.policy.DownloadKeys;
import org.lrwp.download.policy.DownloadPolicy;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;

import java.util.HashMap;
import java.util.Map;

/** Configurations made in the test. */
public final class Settings {
    private Settings() {}

    /** Values written as {@code key=value}; the root is the working folder unless it is set. */
    public static Configuration of(String... settings) throws BadConfigurationException {
        Map<String, Setting> start = new HashMap<>();
        Origin origin = new Origin(Origin.Kind.START, "test");
        start.put("root", new Setting(".", origin));
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            start.put(
                    setting.substring(0, equals),
                    new Setting(setting.substring(equals + 1), origin));
        }
        return Configuration.open(DownloadKeys.all(), start, null);
    }

    /** The same, with a policy made of them. */
    public static DownloadPolicy bound(String... settings) throws BadConfigurationException {
        return of(settings).bind(DownloadPolicy::of).get();
    }
}
