package org.lrwp.runtime;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
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
import java.util.List;

/**
 * Runs a module as a program of its own that dials in to proxies. Its command line has those of its
 * keys ({@link KeyOptions}), those of every peer ({@link PeerOptions}), and
 *
 * <pre>
 *   --admin-port PORT        admin endpoint on the loopback address; 0 for any free port
 *   --admin-token-file FILE  token that changes there need
 * </pre>
 */
public final class ModuleProgram {
    private static final int CONCURRENCY = 10_000;

    private final ModuleProvider provider;
    private final PeerOptions peer;
    private final KeyOptions keys;
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
        this.keys = new KeyOptions(provider.keys());
        PeerProgram.prepareLogging();
        CommandSpec spec = CommandSpec.create();
        spec.name(provider.type() + "-peer");
        spec.usageMessage().description(provider.description()).sortOptions(false).autoWidth(true);
        keys.addTo(spec);
        spec.addOption(
                OptionSpec.builder("--admin-port")
                        .paramLabel("PORT")
                        .type(Integer.class)
                        .description("Port of the loopback address for status and changes; 0: any")
                        .build());
        spec.addOption(
                OptionSpec.builder("--admin-token-file")
                        .paramLabel("FILE")
                        .type(Path.class)
                        .description("File with the token that changes need, mode 600")
                        .build());
        spec.addMixin("peer", CommandSpec.forAnnotatedObject(peer));
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Shows this text")
                        .build());
        commandLine = new CommandLine(spec);
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
            PeerProgram program =
                    PeerProgram.asynchronous(peer, contexts, running.module().handler())
                            .atDrain(running::drain);
            running.add(program.drainAction());
            return program.run();
        } catch (BadConfigurationException e) {
            errors.println(e.getMessage());
            return PeerProgram.UNUSABLE;
        }
    }

    private RunningModule.Start start(ParseResult parsed, List<String> contexts)
            throws BadConfigurationException {
        @Nullable Path token = parsed.matchedOptionValue("--admin-token-file", null);
        return new RunningModule.Start(
                provider.type(),
                peer.contexts(contexts),
                keys.settings(parsed),
                keys.file(parsed),
                admin(parsed.matchedOptionValue("--admin-port", -1), token),
                null);
    }

    private static Admin admin(int port, @Nullable Path tokenFile)
            throws BadConfigurationException {
        try {
            return new Admin(port, tokenFile);
        } catch (IllegalArgumentException e) {
            throw new BadConfigurationException("--admin-port: " + e.getMessage());
        }
    }
}
