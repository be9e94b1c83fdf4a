package org.lrwp.runtime;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.operation.Admin;
import org.lrwp.runtime.operation.RunningModule;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs a module as a program of its own that dials in to proxies. Its command line has an option
 * for each key of the module ({@code request-rate}: {@code --request-rate}), those of every peer
 * ({@link PeerOptions}), and
 *
 * <pre>
 *   --config FILE            more settings, watched for changes
 *   --set NAME=VALUE         any key, also of a family; repeatable
 *   --admin-port PORT        admin endpoint on the loopback address; 0 for any free port
 *   --admin-token-file FILE  token that changes there need
 * </pre>
 */
public final class ModuleProgram {
    private static final int CONCURRENCY = 10_000;

    private final ModuleProvider provider;
    private final PeerOptions peer;
    private final CommandLine commandLine;

    /**
     * Creates the program of a kind of module.
     *
     * @param provider the kind
     */
    public ModuleProgram(ModuleProvider provider) {
        this(provider, CONCURRENCY);
    }

    /**
     * Creates the program of a kind of module.
     *
     * @param provider the kind
     * @param concurrency requests at once when nobody says otherwise, at least 1
     */
    public ModuleProgram(ModuleProvider provider, int concurrency) {
        this.provider = provider;
        this.peer = new PeerOptions(concurrency);
        PeerProgram.prepareLogging();
        CommandSpec spec = CommandSpec.create();
        spec.name(provider.type() + "-peer");
        spec.usageMessage().description(provider.description()).sortOptions(false).autoWidth(true);
        for (Key<?> key : provider.keys()) {
            if (!key.isFamily()) {
                spec.addOption(option(key));
            }
        }
        spec.addOption(
                OptionSpec.builder("--set")
                        .paramLabel("NAME=VALUE")
                        .type(Map.class)
                        .auxiliaryTypes(String.class, String.class)
                        .description("Sets any key, also one of a family; repeatable" + families())
                        .build());
        spec.addOption(file("--config", "File with more keys, watched for changes"));
        spec.addOption(
                OptionSpec.builder("--admin-port")
                        .paramLabel("PORT")
                        .type(Integer.class)
                        .description("Port of the loopback address for status and changes; 0: any")
                        .build());
        spec.addOption(
                file("--admin-token-file", "File with the token that changes need, mode 600"));
        spec.addMixin("peer", CommandSpec.forAnnotatedObject(peer));
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Shows this text")
                        .build());
        commandLine = new CommandLine(spec);
    }

    private static OptionSpec option(Key<?> key) {
        String fallback = key.isRequired() ? "must be set" : "default: " + key.fallback();
        String text = key.meaning() + " " + capital(key.type().allowed()) + " (" + fallback + ")";
        return OptionSpec.builder(optionName(key.name()))
                .paramLabel("VALUE")
                .type(String.class)
                .description(text.replace("%", "%%"))
                .build();
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static OptionSpec file(String name, String meaning) {
        return OptionSpec.builder(name)
                .paramLabel("FILE")
                .type(Path.class)
                .description(meaning)
                .build();
    }

    private String families() {
        List<String> names = provider.keys().stream().filter(Key::isFamily).map(Key::name).toList();
        return names.isEmpty() ? "" : ": " + String.join(", ", names);
    }

    private static String optionName(String key) {
        return "--" + key.replace('.', '-');
    }

    /**
     * Runs the program until it is told to end; blocks.
     *
     * @param arguments the command line
     * @return the exit code: 0, or {@link PeerProgram#UNUSABLE} after one sentence on standard
     *     error
     */
    public int run(String... arguments) {
        return run(System.out, System.err, arguments);
    }

    int run(PrintStream out, PrintStream errors, String... arguments) {
        ParseResult parsed;
        try {
            parsed = commandLine.parseArgs(arguments);
        } catch (ParameterException e) {
            errors.println(e.getMessage());
            return PeerProgram.UNUSABLE;
        }
        if (parsed.isUsageHelpRequested()) {
            commandLine.usage(out, Ansi.OFF);
            return 0;
        }
        List<String> contexts = List.of(provider.defaultContext());
        try (RunningModule running = RunningModule.open(provider, start(parsed, contexts))) {
            return PeerProgram.asynchronous(peer, contexts, running.module().handler())
                    .atDrain(running::drain)
                    .run();
        } catch (BadConfigurationException e) {
            errors.println(e.getMessage());
            return PeerProgram.UNUSABLE;
        }
    }

    private RunningModule.Start start(ParseResult parsed, List<String> contexts)
            throws BadConfigurationException {
        Map<String, Setting> settings = new HashMap<>();
        for (Key<?> key : provider.keys()) {
            String option = optionName(key.name());
            if (!key.isFamily() && parsed.hasMatchedOption(option)) {
                String text = Objects.requireNonNull(parsed.matchedOptionValue(option, ""));
                settings.put(key.name(), new Setting(text, origin(option)));
            }
        }
        Map<String, String> more =
                Objects.requireNonNull(parsed.matchedOptionValue("--set", Map.of()));
        more.forEach((name, text) -> settings.put(name, new Setting(text, origin("--set"))));
        @Nullable Path file = parsed.matchedOptionValue("--config", null);
        @Nullable Path token = parsed.matchedOptionValue("--admin-token-file", null);
        return new RunningModule.Start(
                provider.type(),
                peer.contexts(contexts),
                settings,
                file,
                admin(parsed.matchedOptionValue("--admin-port", -1), token));
    }

    private static Admin admin(int port, @Nullable Path tokenFile)
            throws BadConfigurationException {
        try {
            return new Admin(port, tokenFile);
        } catch (IllegalArgumentException e) {
            throw new BadConfigurationException("--admin-port: " + e.getMessage());
        }
    }

    private static Origin origin(String option) {
        return new Origin(Origin.Kind.START, "command line " + option);
    }
}
