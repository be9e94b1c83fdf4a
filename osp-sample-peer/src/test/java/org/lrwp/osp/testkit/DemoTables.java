package org.lrwp.osp.testkit;

import org.lrwp.osp.routing.BadTablesException;
import org.lrwp.osp.routing.CsvFolder;
import org.lrwp.osp.routing.DemoRoutes;
import org.lrwp.osp.routing.RoutingDesk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;

/** The demo's routing tables, where the build has put them. */
public final class DemoTables {
    private DemoTables() {}

    /** Loads them. */
    public static RoutingDesk desk(RoutingDesk.Settings settings) {
        try {
            Path file =
                    Path.of(
                            Objects.requireNonNull(DemoRoutes.class.getResource("demo/devices.csv"))
                                    .toURI());
            return new RoutingDesk(
                    new CsvFolder(Objects.requireNonNull(file.getParent())),
                    new RoutingDesk.Setup(settings, new Random(1), () -> 0, line -> {}));
        } catch (URISyntaxException | BadTablesException broken) {
            throw new UncheckedIOException(new IOException(broken));
        }
    }
}
