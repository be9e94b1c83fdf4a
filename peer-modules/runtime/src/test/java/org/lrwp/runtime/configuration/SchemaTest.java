package org.lrwp.runtime.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keys for one thing alone, other people's keys, rules, properties files, and what has to wait. */
class SchemaTest {
    private static final KeyTable TABLE = new KeyTable();
    private static final Key<Duration> WAIT =
            TABLE.key("context.wait", ValueTypes.duration(Duration.ZERO), "10s")
                    .each(new Members("a path", name -> name.startsWith("/")))
                    .live("How long.");
    private static final Key<Integer> LENGTH =
            TABLE.key("context.length", ValueTypes.count(0, 99), "5")
                    .each(new Members("a path", name -> name.startsWith("/")))
                    .live("How many.");
    private static final Key<Integer> PORT =
            TABLE.key("port", ValueTypes.count(0, 99), "1").atStart("Where.");
    private static final Key<String> TOKEN =
            TABLE.key("token", ValueTypes.TEXT, "").secret("Who knows it.");
    private static final Key<String> TYPE =
            TABLE.key("module.*.type", ValueTypes.word("a", "b"), "a").atStart("Kind.");
    private static final Key<String> REST =
            TABLE.key("module.*.**", ValueTypes.TEXT, "").atStart("Its own.");

    private static final Rule LESS =
            (values, faults) -> {
                if (values.get(LENGTH) > values.get(PORT) * 10) {
                    faults.accept("context.length is more than ten times port");
                }
            };

    @TempDir private Path folder;

    private Path write(String... lines) throws IOException {
        return Files.write(folder.resolve("all.properties"), List.of(lines));
    }

    private Configuration open(String... lines) throws Exception {
        Map<String, Setting> defaults =
                Map.of("context.length", new Setting("7", new Origin(Origin.Kind.DEFAULT, "ours")));
        return Configuration.open(
                new Schema(TABLE.all(), List.of(LESS)),
                new Sources(defaults, write(lines), FileFormat.PROPERTIES, Map.of()));
    }

    private String faults(String... lines) {
        return String.valueOf(
                assertThrows(BadConfigurationException.class, () -> open(lines)).getMessage());
    }

    @Test
    void aKeyCanBeSetForOneThingAlone() throws Exception {
        Values values = open("context.wait = 20s", "context./a.b.wait = 5s").values();

        assertEquals(Duration.ofSeconds(20), values.get(WAIT));
        assertEquals(Duration.ofSeconds(5), values.of(WAIT, "/a.b"));
        assertEquals(Duration.ofSeconds(20), values.of(WAIT, "/c"));
        assertEquals(7, values.of(LENGTH, "/a.b"));
        assertEquals("ours", values.origin("context.length").toString());
        assertEquals(Set.of("/a.b"), values.members(LENGTH));
        assertTrue(
                values.entries().stream().anyMatch(one -> one.name().equals("context./a.b.wait")));
        assertTrue(values.isSet(WAIT));
        assertFalse(values.isSet(PORT));
    }

    @Test
    void whatIsNoSuchThingIsToldAndSoIsAnUnknownKey() {
        String faults = faults("context.a.wait = 1s", "context./a.what = 1", "module.x = 1");

        assertTrue(faults.contains("context.a.wait (file " + folder), faults);
        assertTrue(faults.contains("all.properties:1): a is not a path"), faults);
        assertTrue(faults.contains("unknown key context./a.what"), faults);
        assertTrue(faults.contains("is context./a.wait meant?"), faults);
        assertTrue(faults.contains("module.x (file"), faults);
        assertTrue(faults.contains("not of the form module.NAME.KEY"), faults);
    }

    @Test
    void settingsOfSomebodyElseAreKeptForHim() throws Exception {
        Values values = open("module.x.type = b", "module.x.some.thing = 4").values();

        assertEquals("b", values.of(TYPE, "x"));
        assertEquals(Set.of("x"), values.members(REST));
        assertEquals(Set.of("type", "some.thing"), values.under("module.x.").keySet());
    }

    @Test
    void aPropertiesFileHasItsEscapesAndEachValueKnowsItsLine() throws Exception {
        Values values =
                open(
                                "! a comment \\",
                                "token : tw\\u006f \\",
                                "    words \\\\",
                                "",
                                "  # another",
                                "port=3")
                        .values();

        assertEquals("two words \\", values.get(TOKEN));
        assertTrue(values.origin("token").place().endsWith("all.properties:2"));
        assertTrue(values.origin("port").place().endsWith("all.properties:6"));
        assertTrue(faults("port = \\u00zz").contains("all.properties:1 cannot be read: "));
        assertTrue(faults("= 5").contains("all.properties:1 is not of the form"));
    }

    @Test
    void aRuleIsAskedAtTheStartAndBeforeEachChange() throws Exception {
        assertEquals("context.length is more than ten times port", faults("context.length = 11"));
        Configuration configuration = open("context.length = 9");

        write("context.length = 12");
        assertThrows(BadConfigurationException.class, configuration::readFile);
        assertEquals(9, configuration.values().get(LENGTH));
        assertEquals("context.length is more than ten times port", configuration.refusal());
    }

    @Test
    void whatMayChangeAtTheStartOnlyWaitsAndTheRestTakesEffect() throws Exception {
        Configuration configuration = open("port = 1", "token = old");
        List<Integer> told = new ArrayList<>();
        Live<Integer> length = configuration.bind(values -> values.get(LENGTH));
        length.onChange(() -> told.add(length.get()));

        write("port = 2", "token = new", "context.length = 8");
        configuration.readFile();
        assertEquals(8, length.get());
        assertEquals(1, configuration.values().get(PORT));
        assertEquals("old", configuration.values().get(TOKEN));
        assertEquals(List.of("port", "token"), configuration.waiting());

        write("token = old", "context.length = 6");
        configuration.readFile();
        assertEquals(List.of(), configuration.waiting());
        assertEquals(List.of(8, 6), told);
    }

    @Test
    void theNextStartHasToBePossibleToo() throws Exception {
        Configuration configuration = open("port = 2", "context.length = 15");

        write("port = 1", "context.length = 15");
        assertThrows(BadConfigurationException.class, configuration::readFile);
        write("port = 3", "context.length = 25");
        // Right at the next start, but not together with the port of now.
        assertThrows(BadConfigurationException.class, configuration::readFile);
        assertEquals(15, configuration.values().get(LENGTH));
        assertEquals(List.of(), configuration.waiting());
    }

    @Test
    void whatTheStartSetsHidesTheFileUntilTheNextStartToo() throws Exception {
        Map<String, Setting> start =
                Map.of("port", new Setting("4", new Origin(Origin.Kind.START, "environment")));
        Configuration configuration =
                Configuration.open(
                        Schema.of(TABLE.all()),
                        new Sources(Map.of(), write("port = 1"), FileFormat.PROPERTIES, start));

        write("port = 2");
        configuration.readFile();
        assertEquals(4, configuration.values().get(PORT));
        assertEquals(List.of(), configuration.waiting());
    }
}
