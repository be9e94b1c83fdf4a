package org.lrwp.osp;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.routing.CsvFolder;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.runtime.BadOptionException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;

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
        OspConfiguration configuration = OspConfiguration.of(config);
        RoutesStart.desk(
                configuration, RoutesStart.source(configuration, data, line -> {}), out()::println);
        return 0;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = "Puts the tables of a folder into the database, when they can be used.")
    int load(
            @Parameters(paramLabel = "FOLDER", description = "The folder with the CSV files")
                    Path folder,
            @Option(names = "--config", paramLabel = "FILE", description = "Configuration")
                    @Nullable Path config,
            @Option(
                            names = "--data",
                            defaultValue = OspPeer.DATA,
                            paramLabel = "FOLDER",
                            description = "The peer's folder. Default: " + OspPeer.DATA)
                    Path data)
            throws BadOptionException {
        OspConfiguration configuration = OspConfiguration.of(config);
        CsvFolder files = new CsvFolder(folder);
        RoutesStart.desk(configuration, files, line -> {});
        try {
            long rows = new SqlTables(RecordsStart.address(configuration, data)).replaceWith(files);
            out().println("rows=" + rows);
            return 0;
        } catch (SQLException | IOException failed) {
            throw new BadOptionException("routes: " + failed.getMessage());
        }
    }

    private static RoutingDesk desk(@Nullable Path config, Path data) throws BadOptionException {
        OspConfiguration configuration = OspConfiguration.of(config);
        return RoutesStart.desk(
                configuration, RoutesStart.source(configuration, data, line -> {}), line -> {});
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
