package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.audit.AuditEvent.Action;
import org.lrwp.engine.audit.AuditEvent.Verdict;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.webapp.config.ConfigReader;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Both logs together with the configuration that they follow. */
class LogsTest {
    private static final Origin HTTP = new Origin(Origin.Kind.HTTP, "127.0.0.1");

    @TempDir private Path folder;

    @Test
    void figuresCountEachChangeOfTheConfigurationThatTheAuditLogHas() throws Exception {
        Path file = Files.writeString(folder.resolve("a.properties"), "context.grace = 3s\n");
        Path log = folder.resolve("audit.log");
        var opened =
                ConfigReader.open(
                        Map.of(),
                        Map.of("lrwp.config", "" + file, "lrwp.audit-log.file", "" + log),
                        null,
                        "1");
        Configuration configuration = opened.configuration();
        try (Logs logs = Logs.open(opened);
                var side = new OperatorSide("1", opened, logs)) {
            configuration.set(Map.of("context.queue-time", "6s"), HTTP);
            assertThrows(
                    BadConfigurationException.class,
                    () -> configuration.set(Map.of("context.queue-time", "soon"), HTTP));
            Files.writeString(file, "context.grace = 4s\n");
            configuration.readFile();
            Files.writeString(file, "context.grace = later\n");
            assertThrows(BadConfigurationException.class, configuration::readFile);

            Map<Verdict, Long> changes = new EnumMap<>(Verdict.class);
            side.audit()
                    .counts(
                            (action, verdict, count) -> {
                                if (action == Action.CHANGE) {
                                    changes.put(verdict, count);
                                }
                            });
            assertEquals(Map.of(Verdict.ALLOWED, 2L, Verdict.REFUSED, 2L), changes);
        }

        List<String> lines = Files.readAllLines(log);
        assertEquals(2, lines.stream().filter(line -> line.contains("action=changed")).count());
        assertEquals(2, lines.stream().filter(line -> line.contains("action=refused")).count());
    }
}
