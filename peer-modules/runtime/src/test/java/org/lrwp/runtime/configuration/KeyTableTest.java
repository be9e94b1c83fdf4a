package org.lrwp.runtime.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Keys that are declared once. */
class KeyTableTest {
    private final KeyTable table = new KeyTable();

    @Test
    void keysStandInTheOrderInWhichTheyWereDeclared() {
        Key<Integer> live = table.key("b", ValueTypes.count(0, 9), "1").live("Some.");
        Key<String> fixed = table.key("c", ValueTypes.TEXT, "").atStart("What.");
        Key<String> secret = table.key("a", ValueTypes.TEXT, "").secret("Who knows it may.");

        assertEquals(List.of(live, fixed, secret), table.all());
        assertEquals(
                List.of(Key.Use.LIVE, Key.Use.AT_START, Key.Use.SECRET),
                table.all().stream().map(Key::use).toList());
    }

    @Test
    void aNameIsThereOnce() {
        table.key("a", ValueTypes.TEXT, "").live("What.");
        KeyTable.Draft<String> again = table.key("a", ValueTypes.TEXT, "");

        assertThrows(IllegalArgumentException.class, () -> again.secret("What else."));
        assertEquals(1, table.all().size());
    }
}
