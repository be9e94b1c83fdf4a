package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.Origin;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the settings of modules, {@code module.NAME.KEY}. What is not among these keys is the
 * module's own, and the module checks it.
 */
final class ModulesReader {
    static final String PREFIX = "module.";

    static final Key<String> TYPE =
            new Key<>(
                    "type",
                    ValueTypes.TEXT,
                    "",
                    "Kind of the module; must be set. One that the proxy does not have: it does not"
                            + " start.");
    static final Key<Set<String>> CONTEXT =
            new Key<>(
                    "context",
                    ValueTypes.CONTEXTS,
                    "",
                    "Contexts that the module serves; must be set.");
    static final Key<String> VHOST =
            new Key<>(
                    "vhost",
                    ValueTypes.TEXT,
                    "",
                    "The only host it serves them for; empty = every host.");
    static final Key<Integer> CAPACITY =
            new Key<>(
                    "capacity",
                    ValueTypes.count(1, 1_000_000),
                    "16384",
                    "Requests that the module has at once; more wait as `context.queue-length`"
                            + " says.");
    static final Key<String> CONFIG =
            new Key<>(
                    "config",
                    ValueTypes.TEXT,
                    "",
                    "File with more of the module's own keys, watched for changes; empty = none. At"
                            + " the start what stands here wins over it.");
    static final Key<Integer> ADMIN_PORT =
            new Key<>(
                    "admin-port",
                    ValueTypes.count(-1, 0xFFFF),
                    "-1",
                    "Port of the loopback address with the module's admin endpoint; 0 = any free"
                            + " one, -1 = none. Taken: the proxy does not start.");
    static final Key<String> ADMIN_TOKEN_FILE =
            new Key<>(
                    "admin-token-file",
                    ValueTypes.TEXT,
                    "",
                    "File with the token that changes there need, mode 600; empty = nobody may"
                            + " change anything.");

    /** The keys of every module, in the order of the docs. */
    static final List<Key<?>> ALL =
            List.of(TYPE, CONTEXT, VHOST, CAPACITY, CONFIG, ADMIN_PORT, ADMIN_TOKEN_FILE);

    private final List<String> faults;

    ModulesReader(List<String> faults) {
        this.faults = faults;
    }

    /** The settings that are not of modules. */
    static Map<String, Setting> others(Map<String, Setting> settings) {
        Map<String, Setting> others = new LinkedHashMap<>(settings);
        others.keySet().removeIf(name -> name.startsWith(PREFIX));
        return others;
    }

    /** Reads all modules, sorted by name. */
    List<ModuleConfig> read(Map<String, Setting> settings) {
        Map<String, Map<String, Setting>> byName = new TreeMap<>();
        settings.forEach(
                (full, setting) -> {
                    if (full.startsWith(PREFIX)) {
                        sort(full, setting, byName);
                    }
                });
        List<ModuleConfig> modules = new ArrayList<>();
        byName.forEach((name, own) -> modules.add(module(name, own)));
        return modules;
    }

    private void sort(String full, Setting setting, Map<String, Map<String, Setting>> byName) {
        String rest = full.substring(PREFIX.length());
        int dot = rest.indexOf('.');
        String name = dot < 0 ? "" : rest.substring(0, dot);
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]*") || dot == rest.length() - 1) {
            faults.add(full + " (" + setting.origin() + "): not of the form module.NAME.KEY");
            return;
        }
        byName.computeIfAbsent(name, one -> new HashMap<>()).put(rest.substring(dot + 1), setting);
    }

    private ModuleConfig module(String name, Map<String, Setting> own) {
        Map<String, Setting> common = new HashMap<>();
        Map<String, org.lrwp.runtime.configuration.Setting> others = new HashMap<>();
        own.forEach(
                (key, setting) -> {
                    if (ALL.stream().anyMatch(one -> one.name().equals(key))) {
                        common.put(key, setting);
                    } else {
                        others.put(key, forModule(setting));
                    }
                });
        String type = get(name, common, TYPE);
        Set<String> contexts = get(name, common, CONTEXT);
        if (type.isEmpty()) {
            faults.add(PREFIX + name + ".type must be set");
        }
        if (contexts.isEmpty()) {
            faults.add(PREFIX + name + ".context must be set");
        }
        return new ModuleConfig(
                name,
                type,
                List.copyOf(contexts),
                get(name, common, VHOST),
                get(name, common, CAPACITY),
                path(get(name, common, CONFIG)),
                get(name, common, ADMIN_PORT),
                path(get(name, common, ADMIN_TOKEN_FILE)),
                others);
    }

    private static org.lrwp.runtime.configuration.Setting forModule(Setting setting) {
        return new org.lrwp.runtime.configuration.Setting(
                setting.value(), new Origin(Origin.Kind.START, setting.origin()));
    }

    private static @Nullable Path path(String text) {
        return text.isEmpty() ? null : Path.of(text);
    }

    private <T> T get(String module, Map<String, Setting> common, Key<T> key) {
        Setting setting = common.get(key.name());
        if (setting != null) {
            try {
                return key.type().parse(setting.value());
            } catch (IllegalArgumentException e) {
                faults.add(
                        PREFIX
                                + module
                                + "."
                                + key.name()
                                + " = "
                                + setting.value()
                                + " ("
                                + setting.origin()
                                + "): allowed is "
                                + key.type().allowed());
            }
        }
        return key.type().parse(key.fallback());
    }
}
