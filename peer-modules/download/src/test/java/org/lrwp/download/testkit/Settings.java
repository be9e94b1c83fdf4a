package org.lrwp.download.testkit;

import org.lrwp.download.policy.DownloadKeys;
import org.lrwp.download.policy.DownloadPolicy;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.testkit.Configurations;

/** Configurations made in the test. */
public final class Settings {
    private Settings() {}

    /** Values written as {@code key=value}; the root is the working folder unless it is set. */
    public static Configuration of(String... settings) throws BadConfigurationException {
        String[] all = new String[settings.length + 1];
        all[0] = "root=.";
        System.arraycopy(settings, 0, all, 1, settings.length);
        return Configurations.of(DownloadKeys.all(), all);
    }

    /** The same, with a policy made of them. */
    public static DownloadPolicy bound(String... settings) throws BadConfigurationException {
        return of(settings).bind(DownloadPolicy::of).get();
    }
}
