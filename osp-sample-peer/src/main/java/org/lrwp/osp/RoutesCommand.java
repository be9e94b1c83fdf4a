package org.lrwp.osp;

import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.routing.CsvFolder;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.runtime.BadOptionException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Consumer;

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
                            paramLabel = "DEVICE",
                            description = "The device's name, or the address it asks from")
                    String from,
            @Mixin PeerFiles peer)
            throws BadOptionException {
        desk(peer, line -> {}).explain(number, from).forEach(out()::println);
        return 0;
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Reads the tables and says what is in them, or what is wrong.")
    int check(@Mixin PeerFiles peer) throws BadOptionException {
        desk(peer, out()::println);
        return 0;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = "Puts the tables of a folder into the database, when they can be used.")
    int load(
            @Parameters(paramLabel = "FOLDER", description = "The folder with the CSV files")
                    Path folder,
            @Mixin PeerFiles peer)
            throws BadOptionException {
        OspConfiguration configuration = peer.configuration();
        CsvFolder files = new CsvFolder(folder);
        RoutesStart.desk(configuration, files, line -> {});
        try {
            long rows =
                    new SqlTables(RecordsStart.address(configuration, peer.data()))
                            .replaceWith(files);
            out().println("rows=" + rows);
            return 0;
        } catch (SQLException | IOException failed) {
            throw new BadOptionException("routes: " + failed.getMessage());
        }
    }

    private static RoutingDesk desk(PeerFiles peer, Consumer<String> log)
            throws BadOptionException {
        OspConfiguration configuration = peer.configuration();
        return RoutesStart.desk(
                configuration, RoutesStart.source(configuration, peer.data(), line -> {}), log);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
