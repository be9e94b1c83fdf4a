package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.ValueTypes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class AuditedConfigurationTest {
    private static final Key<String> COLOUR =
            Key.live("colour", ValueTypes.TEXT, "red", "What it is painted.");
    private static final Key<String> SHAPE =
            Key.live("shape", ValueTypes.TEXT, "round", "What it looks like.");

    @Test
    void aChangeIsTakenDownWithItsValuesAndTheVersionIsAnother() throws Exception {
        Configuration configuration = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);
        var audited = new AuditedConfiguration(configuration);
        List<AuditEvent> taken = new ArrayList<>();
        String first = audited.version();

        configuration.set(Map.of("colour", "blue"), new Origin(Origin.Kind.HTTP, "127.0.0.1"));
        audited.changed(taken::add);

        assertEquals(1, taken.size());
        assertEquals("changed", taken.getFirst().word());
        assertEquals("colour", taken.getFirst().subject());
        String detail = taken.getFirst().detail();
        assertTrue(detail.startsWith("value=blue before=red origin="), detail);
        assertTrue(detail.contains("127.0.0.1"), detail);
        assertNotEquals(first, audited.version());

        configuration.reset("colour");
        audited.changed(taken::add);

        assertEquals(2, taken.size());
        assertEquals(first, audited.version());
    }

    @Test
    void theVersionDependsOnNothingButTheValues() throws Exception {
        var one = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);
        var other = Configuration.open(List.of(COLOUR, SHAPE), Map.of(), null);

        assertEquals(
                new AuditedConfiguration(one).version(), new AuditedConfiguration(other).version());
    }
}
