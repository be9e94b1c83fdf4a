package org.lrwp.events.testkit;

import org.lrwp.events.policy.EventsKeys;
import org.lrwp.events.policy.EventsPolicy;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;

import java.util.HashMap;
import java.util.Map;

/** Configurations made in the test. */
public final class Settings {
    private Settings() {}

    /** Values written as {@code key=value}. */
    public static Configuration of(String... settings) throws BadConfigurationException {
        Map<String, Setting> start = new HashMap<>();
        Origin origin = new Origin(Origin.Kind.START, "test");
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            start.put(
                    setting.substring(0, equals),
                    new Setting(setting.substring(equals + 1), origin));
        }
        return Configuration.open(EventsKeys.all(), start, null);
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
