package org.lrwp.runtime;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The keys of a program on its command line: an option for each ({@code request-rate}: {@code
 * --request-rate}, {@code token.kind}: {@code --token-kind}), and
 *
 * <pre>
 *   --set NAME=VALUE         any key, also of a family; repeatable
 *   --config FILE            more settings, watched for changes
 * </pre>
 */
public final class KeyOptions {
    private static final String SET = "--set";
    private static final String CONFIG = "--config";

    private final List<Key<?>> keys;

    /**
     * Creates the options of keys.
     *
     * @param keys all that can be set
     */
    public KeyOptions(List<Key<?>> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Adds the options to a command.
     *
     * @param spec the command; it has none of these names yet
     */
    public void addTo(CommandSpec spec) {
        for (Key<?> key : keys) {
            if (!key.isFamily()) {
                spec.addOption(option(key));
            }
        }
        spec.addOption(
                OptionSpec.builder(SET)
                        .paramLabel("NAME=VALUE")
                        .type(Map.class)
                        .auxiliaryTypes(String.class, String.class)
                        .description("Sets any key, also one of a family; repeatable" + families())
                        .build());
        spec.addOption(
                OptionSpec.builder(CONFIG)
                        .paramLabel("FILE")
                        .type(Path.class)
                        .description("File with more keys, watched for changes")
                        .build());
    }

    private static OptionSpec option(Key<?> key) {
        String fallback =
                key.isRequired()
                        ? "must be set"
                        : "default: " + (key.fallback().isEmpty() ? "none" : key.fallback());
        String text = key.meaning() + " " + capital(key.type().allowed()) + " (" + fallback + ")";
        return OptionSpec.builder(name(key))
                .paramLabel("VALUE")
                .type(String.class)
                .description(text.replace("%", "%%"))
                .build();
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private String families() {
        List<String> names = keys.stream().filter(Key::isFamily).map(Key::name).toList();
        return names.isEmpty() ? "" : ": " + String.join(", ", names);
    }

    private static String name(Key<?> key) {
        return "--" + key.name().replace('.', '-');
    }

    /**
     * Returns what a command line sets; {@code --set} wins over the option of a key.
     *
     * @param parsed the command line
     * @return settings by key, each with its option as origin
     */
    public Map<String, Setting> settings(ParseResult parsed) {
        Map<String, Setting> settings = new HashMap<>();
        for (Key<?> key : keys) {
            String option = name(key);
            if (!key.isFamily() && parsed.hasMatchedOption(option)) {
                String text = Objects.requireNonNull(parsed.matchedOptionValue(option, ""));
                settings.put(key.name(), new Setting(text, origin(option)));
            }
        }
        Map<String, String> more = Objects.requireNonNull(parsed.matchedOptionValue(SET, Map.of()));
        more.forEach((name, text) -> settings.put(name, new Setting(text, origin(SET))));
        return settings;
    }

    /**
     * Returns the file that a command line names.
     *
     * @param parsed the command line
     * @return the file; null when none is named
     */
    public @Nullable Path file(ParseResult parsed) {
        return parsed.matchedOptionValue(CONFIG, null);
    }

    private static Origin origin(String option) {
        return new Origin(Origin.Kind.START, "command line " + option);
    }
}
