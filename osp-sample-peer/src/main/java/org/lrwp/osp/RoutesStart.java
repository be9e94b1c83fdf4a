package org.lrwp.osp;

import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.routing.BadTablesException;
import org.lrwp.osp.routing.CsvFolder;
import org.lrwp.osp.routing.DemoRoutes;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.routing.TableSource;
import org.lrwp.runtime.BadOptionException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.function.Consumer;

/** Finds the routing tables at the start; without any, the demo's are put into the data folder. */
final class RoutesStart {
    private RoutesStart() {}

    static RoutingDesk desk(
            OspConfiguration configuration, TableSource source, Consumer<String> log)
            throws BadOptionException {
        try {
            return new RoutingDesk(
                    source,
                    new RoutingDesk.Setup(
                            configuration.routing(), new SecureRandom(), System::nanoTime, log));
        } catch (BadTablesException unfit) {
            throw new BadOptionException("routes: " + unfit.getMessage());
        }
    }

    static TableSource source(OspConfiguration configuration, Path data, Consumer<String> log)
            throws BadOptionException {
        if (configuration.routes().inDatabase()) {
            return new SqlTables(RecordsStart.address(configuration, data));
        }
        Path folder = configuration.routes().folder().orElse(data.resolve("routes"));
        if (configuration.routes().folder().isEmpty() && Files.notExists(folder)) {
            try {
                DemoRoutes.write(folder);
            } catch (IOException failed) {
                throw new BadOptionException(folder + " cannot be written");
            }
            log.accept("routes-made folder=" + folder);
        }
        return new CsvFolder(folder);
    }
}
