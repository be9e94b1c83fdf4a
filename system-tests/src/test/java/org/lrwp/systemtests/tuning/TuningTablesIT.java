package org.lrwp.systemtests.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.Project;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The tables that are both the scripts' settings and their documentation. */
final class TuningTablesIT {
    private static final int COLUMNS = 8;
    private static final int REASON = 5;
    private static final int SOURCE = 6;

    @ParameterizedTest
    @ValueSource(strings = {"solaris10", "solaris11", "linux", "glassfish"})
    void everySettingHasUnitReasonAndSource(String system) throws IOException {
        List<String> rows =
                Files.readAllLines(
                                Project.root().resolve("solaris-tuning/settings/" + system + ".md"))
                        .stream()
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| how |"))
                        .toList();

        assertFalse(rows.isEmpty());
        for (String row : rows) {
            List<String> cells = List.of(row.substring(1, row.length() - 1).split("\\|", -1));
            assertEquals(COLUMNS, cells.size(), row);
            boolean made = !List.of("leave", "value").contains(cells.getFirst().strip());
            if (made) {
                assertFalse(cells.get(3).isBlank(), () -> "no unit: " + row);
            }
            assertFalse(cells.get(REASON).isBlank(), () -> "no reason: " + row);
            assertTrue(!made || !cells.get(SOURCE).isBlank(), () -> "no source: " + row);
        }
    }
}
