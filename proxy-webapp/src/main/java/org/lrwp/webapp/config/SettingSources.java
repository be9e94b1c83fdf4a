package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Gathers what is set: by the file, over it by the environment, over that by system properties.
 *
 * <p>This is small and our own because what matters here (strict names, all faults at once, the
 * origin of each value, keys that hold a context) would be our code over a configuration library
 * too, and a library would bring jars that containers already carry in other versions.
 */
final class SettingSources {
    /** Names the file. */
    static final String FILE_PROPERTY = Key.SYSTEM_PREFIX + "config";

    /** Holds secrets, read elsewhere. */
    static final String SECRETS_VARIABLE = Key.ENVIRONMENT_PREFIX + "SECRETS";

    /** The launcher's: options for the virtual machine. */
    private static final String LAUNCHER_VARIABLE = "LRWP_JAVA_OPTS";

    private static final String DEFAULT_PREFIX = "lrwp-default.";
    private static final String USUAL_FILE = "lrwp.properties";

    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /**
     * Gathers all settings.
     *
     * @param environment the environment
     * @param system system properties
     * @param folder where the file is when no system property names it; null when there is none
     */
    SettingSources(
            Map<String, String> environment, Map<String, String> system, @Nullable Path folder) {
        addDefaults(system);
        addFile(system.get(FILE_PROPERTY), folder);
        addEnvironment(environment);
        addSystem(system);
    }

    /** Of a server that brings the application along: anything else comes before these. */
    private void addDefaults(Map<String, String> system) {
        new TreeMap<>(system)
                .forEach(
                        (name, value) -> {
                            if (name.startsWith(DEFAULT_PREFIX)) {
                                settings.put(
                                        name.substring(DEFAULT_PREFIX.length()),
                                        new Setting(value, "default of the server"));
                            }
                        });
    }

    private void addFile(@Nullable String named, @Nullable Path folder) {
        if (named == null && (folder == null || !Files.exists(folder.resolve(USUAL_FILE)))) {
            return;
        }
        Path path =
                named == null && folder != null ? folder.resolve(USUAL_FILE) : Path.of("" + named);
        var properties = new Once(path, faults);
        try (Reader reader = Files.newBufferedReader(path)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            faults.add("file " + path + " cannot be read: " + reason(e));
        }
        var sorted = new TreeMap<String, String>();
        properties.forEach((name, value) -> sorted.put(name.toString(), value.toString()));
        sorted.forEach((name, value) -> settings.put(name, new Setting(value, "file " + path)));
    }

    private static String reason(Exception e) {
        String name = e.getClass().getSimpleName();
        return name.equals("NoSuchFileException") ? "there is no such file" : name;
    }

    private void addEnvironment(Map<String, String> environment) {
        Map<String, Key<?>> keys = new LinkedHashMap<>();
        Keys.ALL.forEach(key -> keys.put(key.environmentName(), key));
        new TreeMap<>(environment)
                .forEach(
                        (name, value) -> {
                            Key<?> key = keys.get(name);
                            if (key != null) {
                                settings.put(key.name(), new Setting(value, "environment " + name));
                            } else if (name.startsWith(Key.ENVIRONMENT_PREFIX)
                                    && !name.equals(SECRETS_VARIABLE)
                                    && !name.equals(LAUNCHER_VARIABLE)) {
                                warnings.add(name);
                            }
                        });
    }

    private void addSystem(Map<String, String> system) {
        new TreeMap<>(system)
                .forEach(
                        (name, value) -> {
                            if (name.startsWith(Key.SYSTEM_PREFIX) && !name.equals(FILE_PROPERTY)) {
                                settings.put(
                                        name.substring(Key.SYSTEM_PREFIX.length()),
                                        new Setting(value, "system property " + name));
                            }
                        });
    }

    /** What is set, by the name of the key. */
    Map<String, Setting> settings() {
        return settings;
    }

    /** What is wrong with the sources themselves. */
    List<String> faults() {
        return faults;
    }

    /** Environment variables that look like ours and are not. */
    List<String> unknownVariables() {
        return warnings;
    }

    /** Properties that may be set once only. */
    private static final class Once extends Properties {
        private static final long serialVersionUID = 1L;

        private final transient Path path;
        private final transient List<String> faults;

        Once(Path path, List<String> faults) {
            this.path = path;
            this.faults = faults;
        }

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (containsKey(key)) {
                faults.add(key + " is set twice in file " + path);
            }
            return super.put(key, value);
        }
    }
}
