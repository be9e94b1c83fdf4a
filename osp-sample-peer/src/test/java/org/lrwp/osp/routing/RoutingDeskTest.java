package org.lrwp.osp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
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

final class RoutingDeskTest {
    @TempDir Path folder = Path.of("");

    private final List<String> log = new ArrayList<>();
    private long nanos;

    @Test
    void changedTablesAreTakenAndBadOnesAreNotButNamedByLine() throws Exception {
        tables("prefix,destination", "1,a");
        RoutingDesk desk = desk();

        write("prefixes.csv", "prefix,destination", "1,b", "12,a");
        desk.look();
        assertEquals(List.of("b"), names(desk.routing().route(call("1"))));
        write(
                "prefixes.csv",
                "prefix,destination,cost,weight",
                "// a remark",
                "1,a",
                "2,nobody",
                "3x,a",
                "4,a,much",
                "5,a,1,0");
        desk.look();

        assertEquals(List.of("b"), names(desk.routing().route(call("1"))));
        String line = log.getLast();
        assertTrue(line.startsWith("routes-kept reason=\""), line);
        for (String fault :
                List.of(
                        "prefixes.csv:4: destination: there is no 'nobody'",
                        "prefixes.csv:5: '3x' is no prefix",
                        "prefixes.csv:6: 'much' is no amount",
                        "prefixes.csv:7: weight: '0' is not a number from 1 to 32767")) {
            assertTrue(line.contains(fault), line);
        }
        assertTrue(!line.contains("prefixes.csv:3"), line);
    }

    @Test
    void tablesThatLackSomethingAreRefusedAtTheStart() throws Exception {
        write("devices.csv", "name,colour", "a,red");

        String message =
                String.valueOf(assertThrows(BadTablesException.class, this::desk).getMessage());

        assertTrue(message.contains("devices.csv: there is no column 'colour'"), message);
        assertTrue(message.contains("prefixes.csv is missing"), message);
    }

    private static List<String> names(Decision decision) {
        return decision.routes().stream().map(Route::destination).toList();
    }

    private static CallToRoute call(String number) {
        return call(number, from("192.0.2.1"));
    }

    private static CallToRoute call(String number, Origin origin) {
        return new CallToRoute(
                origin,
                Optional.empty(),
                new Party("e164", number),
                Optional.empty(),
                List.of(),
                false);
    }

    private static Origin from(String host) {
        return new Origin(List.of("[" + host + "]"), List.of(), Optional.empty(), Optional.empty());
    }

    private RoutingDesk desk() throws BadTablesException {
        return new RoutingDesk(
                new CsvFolder(folder),
                new RoutingDesk.Setup(
                        OspConfiguration.usual().routing(), new Random(1), () -> nanos, log::add));
    }

    private void tables(String... prefixes) throws IOException {
        write("devices.csv", "name,address", "any,*");
        destinations();
        write("prefixes.csv", prefixes);
    }

    private void destinations() throws IOException {
        write(
                "destinations.csv",
                "name,address",
                "a,[10.0.0.1]",
                "b,[10.0.0.2]",
                "c,[10.0.0.3]",
                "d,[10.0.0.4]");
    }

    private void write(String name, String... lines) throws IOException {
        Files.writeString(folder.resolve(name), String.join("\n", lines));
    }
}
