package org.lrwp.osp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.osp.message.RefusedException;

import java.nio.file.Files;
import java.util.List;

final class RoutingDeskTest extends RoutingFixture {
    @Test
    void changedTablesAreTakenAndBadOnesAreNotButNamedByLine() throws Exception {
        tables("prefix,destination", "1,a");
        RoutingDesk desk = desk();

        write("prefixes.csv", "prefix,destination", "1,b", "12,a");
        desk.look();
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
    void tablesThatAreStillBeingWrittenWait() throws Exception {
        tables("prefix,destination", "1,a");
        RoutingDesk desk = desk();

        write("prefixes.csv", "prefix,destination", "1,b");
        desk.look();
        write("prefixes.csv", "prefix,destination", "1,b", "12,c");
        desk.look();
        assertEquals(List.of("a"), names(desk.routing().route(call("1"))));
        desk.look();

        assertEquals(List.of("b"), names(desk.routing().route(call("1"))));
        assertEquals(2, log.size(), log::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "prefixes.csv, '', there is no line with the columns' names",
        "blocked.csv, '// prefix', there is no line with the columns' names",
        "prefixes.csv, destination, the column 'prefix' is missing",
        "destinations.csv, name, the column 'address' is missing",
        "translations.csv, prefix, the column 'moment' is missing",
        "blocked.csv, 'prefix,prefix', the column 'prefix' stands twice"
    })
    void aTableWithoutItsColumnsIsAFaultAndTheOldTablesStay(
            String name, String content, String fault) throws Exception {
        tables("prefix,destination", "1,a");
        write("blocked.csv", "prefix", "19");
        RoutingDesk desk = desk();

        write(name, content);
        String message =
                String.valueOf(assertThrows(BadTablesException.class, desk::reload).getMessage());

        assertTrue(message.contains(name + ": " + fault), message);
        assertEquals(List.of("a"), names(desk.routing().route(call("1"))));
        assertThrows(RefusedException.class, () -> desk.routing().route(call("19")));
    }

    @Test
    void aTableThatIsAbsentOrHasNamesOnlyIsEmpty() throws Exception {
        tables("prefix,destination", "1,a");
        write("blocked.csv", "prefix", "19");
        write("carriers.csv", "name", "carrier");
        RoutingDesk desk = desk();

        write("blocked.csv", "// nothing is blocked", "prefix");
        Files.delete(folder.resolve("carriers.csv"));
        desk.reload();

        assertEquals(List.of("a"), names(desk.routing().route(call("19"))));
    }

    @Test
    void tablesThatLackSomethingAreRefusedAtTheStart() throws Exception {
        write("devices.csv", "name,colour", "a,red");

        String message =
                String.valueOf(assertThrows(BadTablesException.class, this::desk).getMessage());

        assertTrue(message.contains("devices.csv: there is no column 'colour'"), message);
        assertTrue(message.contains("prefixes.csv is missing"), message);
    }
}
