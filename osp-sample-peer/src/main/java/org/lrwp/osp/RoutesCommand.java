package org.lrwp.osp;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.runtime.BadOptionException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;

/** Looks at the routing tables without a running peer. For picocli. */
@Command(
        name = "routes",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Checks and explains the routing tables.")
final class RoutesCommand {
    @Spec private CommandSpec spec = CommandSpec.create();

    RoutesCommand() {}

    @Command(
            name = "explain",
            mixinStandardHelpOptions = true,
            description = "Says where a call would go, in which order, and why.")
    int explain(
            @Parameters(paramLabel = "NUMBER", description = "The called number") String number,
            @Option(
                            names = "--from",
                            defaultValue = "",
                            paramLabel = "ADDRESS",
                            description = "The address the device asks from")
                    String from,
            @Option(names = "--config", paramLabel = "FILE", description = "Configuration")
                    @Nullable Path config,
            @Option(
                            names = "--data",
                            defaultValue = OspPeer.DATA,
                            paramLabel = "FOLDER",
                            description = "The peer's folder. Default: " + OspPeer.DATA)
                    Path data)
            throws BadOptionException {
        desk(config, data).explain(number, from).forEach(out()::println);
        return 0;
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Reads the tables and says what is in them, or what is wrong.")
    int check(
            @Option(names = "--config", paramLabel = "FILE", description = "Configuration")
                    @Nullable Path config,
            @Option(
                            names = "--data",
                            defaultValue = OspPeer.DATA,
                            paramLabel = "FOLDER",
                            description = "The peer's folder. Default: " + OspPeer.DATA)
                    Path data)
            throws BadOptionException {
        RoutesStart.desk(
                configuration(config),
                RoutesStart.files(configuration(config), data, line -> {}),
                out()::println);
        return 0;
    }

    private static RoutingDesk desk(@Nullable Path config, Path data) throws BadOptionException {
        OspConfiguration configuration = configuration(config);
        return RoutesStart.desk(
                configuration, RoutesStart.files(configuration, data, line -> {}), line -> {});
    }

    private static OspConfiguration configuration(@Nullable Path config) throws BadOptionException {
        return config == null ? OspConfiguration.usual() : OspConfiguration.read(config);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
