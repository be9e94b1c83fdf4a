package org.lrwp.osp.routing;

import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.Party;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Tables in a folder of their own, and calls to route by them. */
abstract class RoutingFixture {
    @TempDir Path folder = Path.of("");

    final List<String> log = new ArrayList<>();
    long nanos;

    static List<String> names(Decision decision) {
        return decision.routes().stream().map(Route::destination).toList();
    }

    static CallToRoute call(String number) {
        return call(number, from("192.0.2.1"));
    }

    static CallToRoute call(String number, Origin origin) {
        return new CallToRoute(
                origin,
                Optional.empty(),
                new Party("e164", number),
                Portability.UNKNOWN,
                List.of(),
                Optional.empty());
    }

    static Origin from(String host) {
        return new Origin(
                List.of("[" + host + "]"),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                true,
                false);
    }

    RoutingDesk desk() throws BadTablesException {
        return new RoutingDesk(
                new CsvFolder(folder),
                new RoutingDesk.Setup(
                        OspConfiguration.usual().routing(), new Random(1), () -> nanos, log::add));
    }

    void tables(String... prefixes) throws IOException {
        write("devices.csv", "name,address", "any,*");
        destinations();
        write("prefixes.csv", prefixes);
    }

    void destinations() throws IOException {
        write(
                "destinations.csv",
                "name,address",
                "a,[10.0.0.1]",
                "b,[10.0.0.2]",
                "c,[10.0.0.3]",
                "d,[10.0.0.4]");
    }

    void write(String name, String... lines) throws IOException {
        Files.writeString(folder.resolve(name), String.join("\n", lines));
    }
}
