package org.lrwp.events.testkit;

import org.lrwp.events.policy.EventsKeys;
import org.lrwp.events.policy.EventsPolicy;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.testkit.Configurations;

/** Configurations made in the test. */
public final class Settings {
    private Settings() {}

    /** Values written as {@code key=value}. */
    public static Configuration of(String... settings) throws BadConfigurationException {
        return Configurations.of(EventsKeys.all(), settings);
    }

    /** The same, with a policy made of them. */
    public static EventsPolicy policy(String... settings) {
        try {
            return of(settings).bind(EventsPolicy::of).get();
        } catch (BadConfigurationException e) {
            throw new AssertionError(e);
        }
    }
}
