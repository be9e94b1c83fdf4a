package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.webapp.steering.OperatedProxy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
        assertEquals("127.0.0.1", taken.getLast().actor().address());
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
    void whatAnOperatorChangesOrWantsToIsOneLineWithHisName() throws Exception {
        try (var proxy = new OperatedProxy(true)) {
            assertEquals(200, erika(proxy, "PUT", "{\"value\":\"6s\"}"));
            assertEquals(400, erika(proxy, "PUT", "{\"value\":\"soon\"}"));
            assertEquals(200, erika(proxy, "DELETE", ""));

            List<AuditEvent> taken = proxy.audited();
            assertEquals(
                    List.of("changed", "refused", "changed"),
                    taken.stream().map(AuditEvent::word).toList());
            var erika = new AuditActor("erika", "127.0.0.1", "");
            taken.forEach(event -> assertEquals(erika, event.actor(), event::detail));
            assertTrue(taken.getLast().detail().startsWith("value=10s before=6s "));
        }
    }

    private static int erika(OperatedProxy proxy, String method, String body) throws Exception {
        return proxy.api(
                        method,
                        "configuration/context.queue-time",
                        body,
                        "Authorization",
                        "Bearer " + OperatedProxy.ERIKA,
                        "Content-Type",
                        "application/json")
                .status();
    }

    @Test
    void certificateThatProvedTheNameIsInTheLine() throws Exception {
        Configuration configuration = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);
        List<AuditEvent> taken = new ArrayList<>();
        new AuditedConfiguration(configuration, "").follow(taken::add);
        var proof = new Origin.Proof("erika", "sha256:ab");

        configuration.set(
                Map.of("colour", "blue"), new Origin(Origin.Kind.HTTP, "192.0.2.1", proof));

        assertEquals(new AuditActor("erika", "192.0.2.1", "sha256:ab"), taken.getFirst().actor());
    }

    @Test
    void whatTheProxysConfigurationSetsForAModuleHasNoSecondLine() throws Exception {
        Configuration configuration = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);
        var audited = new AuditedConfiguration(configuration, "module.a.");
        List<AuditEvent> taken = new ArrayList<>();
        audited.follow(taken::add);
        String first = audited.version();

        configuration.changeStart(
                Map.of("colour", new Setting("blue", new Origin(Origin.Kind.START, "HTTP"))),
                Set.of());

        assertEquals(List.of(), taken);
        assertNotEquals(first, audited.version());
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
