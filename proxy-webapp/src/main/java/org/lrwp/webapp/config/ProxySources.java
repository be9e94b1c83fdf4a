package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.FileFormat;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.configuration.Sources;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the proxy's values come from: defaults of a server that brings the application along, over
 * them the file, over it the environment, over that system properties.
 *
 * @param sources the places
 * @param unknownVariables environment variables that look like ours and are not
 */
record ProxySources(Sources sources, List<String> unknownVariables) {
    /** Holds secrets, read elsewhere. */
    static final String SECRETS_VARIABLE = "LRWP_SECRETS";

    private static final String SYSTEM_PREFIX = "lrwp.";
    private static final String ENVIRONMENT_PREFIX = "LRWP_";
    private static final String DEFAULT_PREFIX = "lrwp-default.";

    /** Names the file. */
    private static final String FILE_PROPERTY = SYSTEM_PREFIX + "config";

    /** The launcher's: options for the virtual machine. */
    private static final String LAUNCHER_VARIABLE = "LRWP_JAVA_OPTS";

    private static final String USUAL_FILE = "lrwp.properties";

    /**
     * Gathers all places.
     *
     * @param environment the environment
     * @param system system properties
     * @param folder where the file is when no system property names it; null when there is none
     */
    static ProxySources of(
            Map<String, String> environment, Map<String, String> system, @Nullable Path folder) {
        List<String> unknown = new ArrayList<>();
        Map<String, Setting> start = environment(environment, unknown);
        start.putAll(
                under(
                        SYSTEM_PREFIX,
                        system,
                        Origin.Kind.START,
                        "system property " + SYSTEM_PREFIX));
        start.remove(FILE_PROPERTY.substring(SYSTEM_PREFIX.length()));
        var sources =
                new Sources(
                        under(DEFAULT_PREFIX, system, Origin.Kind.DEFAULT, ""),
                        file(system.get(FILE_PROPERTY), folder),
                        FileFormat.PROPERTIES,
                        start);
        return new ProxySources(sources, unknown);
    }

    private static @Nullable Path file(@Nullable String named, @Nullable Path folder) {
        if (named != null) {
            return Path.of(named);
        }
        Path usual = folder == null ? null : folder.resolve(USUAL_FILE);
        return usual != null && Files.exists(usual) ? usual : null;
    }

    private static Map<String, Setting> under(
            String prefix, Map<String, String> system, Origin.Kind kind, String place) {
        Map<String, Setting> settings = new HashMap<>();
        system.forEach(
                (full, text) -> {
                    if (full.startsWith(prefix)) {
                        String name = full.substring(prefix.length());
                        String where = place.isEmpty() ? "default of the server" : place + name;
                        settings.put(name, new Setting(text, new Origin(kind, where)));
                    }
                });
        return settings;
    }

    private static Map<String, Setting> environment(
            Map<String, String> environment, List<String> unknown) {
        Map<String, Key<?>> keys = new HashMap<>();
        Keys.own().forEach(key -> keys.put(variable(key), key));
        Map<String, Setting> settings = new HashMap<>();
        new TreeMap<>(environment)
                .forEach(
                        (name, text) -> {
                            Key<?> key = keys.get(name);
                            if (key != null) {
                                var origin = new Origin(Origin.Kind.START, "environment " + name);
                                settings.put(key.name(), new Setting(text, origin));
                            } else if (name.startsWith(ENVIRONMENT_PREFIX)
                                    && !name.equals(SECRETS_VARIABLE)
                                    && !name.equals(LAUNCHER_VARIABLE)) {
                                unknown.add(name);
                            }
                        });
        return settings;
    }

    /** The environment variable that sets a key. */
    private static String variable(Key<?> key) {
        return ENVIRONMENT_PREFIX
                + key.name().replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
