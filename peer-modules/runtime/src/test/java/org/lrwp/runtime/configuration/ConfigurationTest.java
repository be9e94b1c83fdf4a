package org.lrwp.runtime.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.runtime.testkit.EchoModule;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values, their origins, and what becomes of changes. */
class ConfigurationTest {
    private static final List<Key<?>> KEYS = new EchoModule().keys();
    private static final Origin JMX = new Origin(Origin.Kind.JMX, "");
    private static final Origin HTTP = new Origin(Origin.Kind.HTTP, "127.0.0.1");

    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("echo.conf");
        write("# a comment", "", "size = 5", " greeting =  from the file ");
    }

    private void write(String... lines) throws IOException {
        Files.write(file, List.of(lines));
    }

    private Configuration open(Map<String, Setting> start) throws BadConfigurationException {
        return Configuration.open(KEYS, start, file);
    }

    private static Map<String, Setting> start(String name, String text) {
        return Map.of(name, new Setting(text, new Origin(Origin.Kind.START, "command line")));
    }

    private static String origin(Configuration configuration, String name) {
        return configuration.values().origin(name).toString();
    }

    private static String refused(Change change) {
        return String.valueOf(
                assertThrows(BadConfigurationException.class, change::make).getMessage());
    }

    private interface Change {
        void make() throws Exception;
    }

    @Test
    void aLaterPlaceWinsAtTheStartAndEachValueKnowsItsOrigin() throws Exception {
        Configuration configuration = open(start("greeting", "from the start"));
        assertEquals("from the start", configuration.values().get(EchoModule.GREETING));
        assertEquals("command line", origin(configuration, "greeting"));
        assertEquals(5, configuration.values().get(EchoModule.SIZE));
        assertEquals("file " + file + ":3", origin(configuration, "size"));
        assertEquals(ValueTypes.UNLIMITED, configuration.values().get(EchoModule.RATE));
        assertEquals("default", origin(configuration, "request-rate"));
    }

    @Test
    void allFaultsOfTheStartAreToldAtOnceWithPlaceAndWhatIsAllowed() throws Exception {
        write("size = many", "colour = red", "request-rate = 20XB");
        String faults = refused(() -> open(Map.of()));
        assertTrue(
                faults.contains("size = many (file " + file + ":1): allowed is a number"), faults);
        assertTrue(faults.contains("unknown key colour (file " + file + ":2)"), faults);
        assertTrue(faults.contains("request-rate = 20XB (file " + file + ":3)"), faults);

        write("greeting = x");
        assertEquals("size must be set: a number, 1 to 100", refused(() -> open(Map.of())));
        write("size 5", "size = 6", "size = 7");
        String lines = refused(() -> open(Map.of()));
        assertTrue(lines.contains(file + ":1 is not of the form"), lines);
        assertTrue(lines.contains("size is set again at " + file + ":3"), lines);
        Files.delete(file);
        assertEquals("there is no file " + file, refused(() -> open(Map.of())));
    }

    @Test
    void aChangeIsSeenByThePartsThatUseItAndLastsUntilItIsTakenBack() throws Exception {
        Configuration configuration = open(Map.of());
        List<String> told = new ArrayList<>();
        Live<String> part = configuration.bind(values -> values.get(EchoModule.GREETING) + "!");
        part.onChange(() -> told.add(part.get()));

        configuration.set(Map.of("greeting", "from a console"), JMX);
        assertEquals("from a console!", part.get());
        assertEquals("JMX", origin(configuration, "greeting"));
        configuration.set(Map.of("greeting", "from a console"), HTTP);
        assertEquals("HTTP 127.0.0.1", origin(configuration, "greeting"));
        configuration.reset("greeting", JMX);
        assertEquals("from the file!", part.get());
        assertEquals(List.of("from a console!", "from the file!"), told);
    }

    @Test
    void aBadChangeIsRefusedAsAWholeAndNothingHasChanged() throws Exception {
        Configuration configuration = open(Map.of());
        Live<String> part =
                configuration.bind(
                        values -> {
                            String text = values.get(EchoModule.GREETING);
                            if (text.length() > 20) {
                                throw new IllegalArgumentException("greeting is too long");
                            }
                            return text;
                        });
        String rate =
                refused(
                        () ->
                                configuration.set(
                                        Map.of("greeting", "good", "request-rate", "bad"), JMX));
        assertTrue(rate.startsWith("request-rate = bad (JMX): allowed is bytes"), rate);
        assertEquals(
                "greeting is too long",
                refused(() -> configuration.set(Map.of("greeting", "x".repeat(21)), JMX)));
        String late = refused(() -> configuration.set(Map.of("size", "6"), JMX));
        assertTrue(late.contains("cannot change while the program runs"), late);
        assertTrue(refused(() -> configuration.set(Map.of("x", "y"), JMX)).contains("unknown key"));
        assertTrue(refused(() -> configuration.reset("x", JMX)).contains("unknown key"));
        assertEquals("from the file", part.get());
        assertEquals("from the file", configuration.values().get(EchoModule.GREETING));
    }

    @Test
    void whatHasChangedInTheFileWinsAndTheRestLastsUntilTheNextStart() throws Exception {
        Configuration configuration = open(start("request-rate", "30KB"));
        configuration.set(Map.of("greeting", "passing", "request-rate", "20KB"), HTTP);

        write("size = 5", "greeting = from the file", "class.video.rate = 1MiB");
        configuration.readFile();
        assertEquals("passing", configuration.values().get(EchoModule.GREETING));
        assertEquals(20_000, configuration.values().get(EchoModule.RATE));

        write("size = 5", "greeting = edited", "request-rate = 40KB");
        configuration.readFile();
        assertEquals("edited", configuration.values().get(EchoModule.GREETING));
        assertEquals(40_000, configuration.values().get(EchoModule.RATE));
        assertEquals("file " + file + ":3", origin(configuration, "request-rate"));
    }

    @Test
    void aLineThatIsGoneFromTheFileLeavesWhatTheStartHasSet() throws Exception {
        write("size = 5", "greeting = had no effect");
        Configuration configuration = open(start("greeting", "from the start"));
        write("size = 5");
        configuration.readFile();
        assertEquals("from the start", configuration.values().get(EchoModule.GREETING));
        assertEquals("command line", origin(configuration, "greeting"));

        for (String edited : List.of("added", "edited")) {
            write("size = 5", "greeting = " + edited);
            configuration.readFile();
            assertEquals(edited, configuration.values().get(EchoModule.GREETING));
        }
        write("size = 5", "greeting = edited", "request-rate = 40KB");
        configuration.readFile();
        assertEquals("edited", configuration.values().get(EchoModule.GREETING));
        write("size = 5");
        configuration.readFile();
        assertEquals("from the start", configuration.values().get(EchoModule.GREETING));
        assertEquals("command line", origin(configuration, "greeting"));
    }

    @Test
    void aNewStartWinsOverWhatWasEditedInTheFileBefore() throws Exception {
        Configuration configuration = open(start("greeting", "from the start"));
        write("size = 5", "greeting = edited");
        configuration.readFile();
        configuration.changeStart(start("greeting", "from a new start"), Set.of());
        assertEquals("from a new start", configuration.values().get(EchoModule.GREETING));
        configuration.changeStart(Map.of(), Set.of("greeting"));
        assertEquals("edited", configuration.values().get(EchoModule.GREETING));
    }

    @Test
    void aBadFileIsRefusedWithReasonAndLineAndTheOldValuesStay() throws Exception {
        Configuration configuration = open(Map.of());
        write("size = 5", "", "greeting = new", "request-rate = fast");
        String reason = refused(configuration::readFile);
        assertTrue(reason.contains("request-rate = fast (file " + file + ":4)"), reason);
        assertEquals(reason, configuration.refusal());
        assertEquals("from the file", configuration.values().get(EchoModule.GREETING));
        write("size = 5", "greeting = new");
        configuration.readFile();
        assertEquals("", configuration.refusal());
        assertEquals("new", configuration.values().get(EchoModule.GREETING));
    }

    @Test
    void whoeverHearsOfAChangeFindsTheRefusalGone() throws Exception {
        Configuration configuration = open(Map.of());
        Live<String> part = configuration.bind(values -> values.get(EchoModule.GREETING));
        List<String> refusals = new ArrayList<>();
        part.onChange(() -> refusals.add(configuration.refusal()));
        write("size = 5", "request-rate = fast");
        refused(configuration::readFile);
        write("size = 5", "greeting = new");
        configuration.readFile();
        assertEquals(List.of(""), refusals);
    }

    @Test
    void aFamilyHasTheMembersThatAnyOfItsKeysNames() throws Exception {
        write("size = 5", "class.video.rate = 1MiB", "class.audio.path = /a");
        Values values = open(Map.of()).values();
        assertEquals("[audio, video]", values.members(EchoModule.CLASS_RATE).toString());
        assertEquals(1 << 20, values.of(EchoModule.CLASS_RATE, "video"));
        assertEquals(10_000, values.of(EchoModule.CLASS_RATE, "audio"));
        assertEquals("/a", values.of(EchoModule.CLASS_PATH, "audio"));
        write("size = 5", "class.b/d.rate = 1KB");
        assertTrue(refused(() -> open(Map.of())).contains("unknown key class.b/d.rate"));
    }
}
