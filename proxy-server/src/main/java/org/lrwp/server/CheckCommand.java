package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Checks a configuration by the web application's own code, without a container. */
@Command(
        name = "check",
        customSynopsis = "lrwp check --config FILE",
        description = {
            "Checks a configuration of the proxy; no proxy has to run, and none is changed.",
            "Prints a line for each fault: the key, its value, file and line, what is allowed.",
            "What LRWP_ variables set counts too, as it does when the proxy starts. The keys of",
            "modules are checked; what a module finds only when it opens its files is not.",
            "",
            "Exit code: 0 without a fault, 1 with one, 2 for wrong use."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        sortOptions = false)
final class CheckCommand implements Callable<Integer> {
    private final PrintStream out;
    private final PrintStream err;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "The configuration, a properties file.")
    private Path config = Path.of("");

    @Option(names = "--war", hidden = true, description = "Another web application.")
    private @Nullable Path war;

    CheckCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, ReflectiveOperationException {
        Path application = war;
        Path archive = application == null ? ProxyServer.shippedWar() : application;
        try (ConfigurationReader reader = ConfigurationReader.of(archive, config)) {
            return reader.check(out);
        } catch (StartFault fault) {
            err.println("lrwp: " + fault.sentence());
            return ProxyServer.USAGE;
        }
    }
}
