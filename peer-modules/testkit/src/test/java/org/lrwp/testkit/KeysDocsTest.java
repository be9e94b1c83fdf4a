package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.ValueTypes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class KeysDocsTest {
    private static final String BEGIN = "<!-- keys: begin, written by KeysDocsTest -->\n";
    private static final String TABLE =
            """
            | key | default | allowed | changes | what |
            |---|---|---|---|---|
            | `a` | `1` | a number, 0 to 9 | at once | Some. |
            | `b` | must be set | a path | at the start | Where. |
            | `c` |  | any text | at once | What. |
            """;
    private static final String END = "<!-- keys: end -->\n";

    private static final List<Key<?>> KEYS =
            List.of(
                    Key.live("a", ValueTypes.count(0, 9), "1", "Some."),
                    Key.atStart("b", ValueTypes.PATH, "", "Where."),
                    Key.live("c", ValueTypes.TEXT, "", "What."));

    @TempDir private Path folder;

    private void check(String document) throws Exception {
        KeysDocs.check(Files.writeString(folder.resolve("docs.md"), document), KEYS);
    }

    @Test
    void aTrueTableIsTaken() {
        assertDoesNotThrow(() -> check("# Keys\n" + BEGIN + TABLE + END + "More.\n"));
    }

    @Test
    void aTableThatIsNotTrueOrNotThereIsAFailure() {
        for (String document :
                List.of(
                        BEGIN + TABLE.replace("Some", "Many") + END,
                        BEGIN + END,
                        TABLE,
                        END + TABLE + BEGIN)) {
            String fault =
                    String.valueOf(
                            assertThrows(AssertionError.class, () -> check(document)).getMessage());
            assertTrue(fault.contains("docs.md"), fault);
        }
    }
}
