package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.ValueTypes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class AuditedConfigurationTest {
    private static final Key<String> COLOUR =
            Key.live("colour", ValueTypes.TEXT, "red", "What it is painted.");
    private static final Key<String> SHAPE =
            Key.live("shape", ValueTypes.TEXT, "round", "What it looks like.");

    private static final Origin HTTP = new Origin(Origin.Kind.HTTP, "127.0.0.1");

    @TempDir private Path folder;

    @Test
    void aChangeIsTakenDownWithItsValuesAndTheVersionIsAnother() throws Exception {
        Configuration configuration = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);
        var audited = new AuditedConfiguration(configuration, "module.a.");
        List<AuditEvent> taken = new ArrayList<>();
        audited.follow(taken::add);
        String first = audited.version();

        configuration.set(Map.of("colour", "blue"), HTTP);

        assertEquals(1, taken.size());
        assertEquals("changed", taken.getFirst().word());
        assertEquals("module.a.colour", taken.getFirst().subject());
        assertEquals("127.0.0.1", taken.getFirst().actor().address());
        String detail = taken.getFirst().detail();
        assertTrue(detail.startsWith("value=blue before=red origin="), detail);
        assertTrue(detail.contains("127.0.0.1"), detail);
        assertNotEquals(first, audited.version());

        configuration.reset("colour", HTTP);

        assertEquals(2, taken.size());
        assertEquals(first, audited.version());
    }

    @Test
    void aChangeThatIsRefusedIsTakenDownWithItsReason() throws Exception {
        Path file = Files.writeString(folder.resolve("a.conf"), "colour = blue\n");
        Configuration configuration = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), file);
        List<AuditEvent> taken = new ArrayList<>();
        new AuditedConfiguration(configuration, "").follow(taken::add);

        assertThrows(
                BadConfigurationException.class,
                () -> configuration.set(Map.of("taste", "bitter"), HTTP));
        assertThrows(BadConfigurationException.class, () -> configuration.reset("smell", HTTP));
        Files.writeString(file, "sound = loud\n");
        assertThrows(BadConfigurationException.class, configuration::readFile);

        assertEquals(3, taken.size());
        for (String word : List.of("taste", "smell", "sound")) {
            AuditEvent event = taken.removeFirst();
            assertEquals("refused", event.word());
            assertEquals("*", event.subject());
            assertTrue(event.detail().contains(word), event::detail);
        }
    }

    @Test
    void theVersionDependsOnNothingButTheValues() throws Exception {
        var one = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);
        var other = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);

        assertEquals(
                new AuditedConfiguration(one, "").version(),
                new AuditedConfiguration(other, "").version());
    }
}
