package org.lrwp.osp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

final class PrefixTableTest {
    private static final String CHARACTERS = "0123456789*#";

    @Test
    void theLongestPrefixThatFitsCounts() {
        PrefixTable table = table("49", "4989", "1", "498912");

        assertEquals("498912", found(table, "4989123"));
        assertEquals("4989", found(table, "49891"));
        assertEquals("49", found(table, "4930"));
        assertEquals("1", found(table, "1"));
        assertEquals("none", found(table, "4"));
        assertEquals("none", found(table, ""));
    }

    @Test
    void theEmptyPrefixFitsEverything() {
        PrefixTable table = table("", "9");

        assertEquals("", found(table, "123"));
        assertEquals("", found(table, ""));
        assertEquals("", found(table, "anna"));
        assertEquals("9", found(table, "9x"));
    }

    @Test
    void anEmptyTableFindsNothing() {
        assertEquals("none", found(table(), "1"));
    }

    @Test
    void theRowsOfAPrefixKeepTheirOrder() {
        PrefixTable table = table("2", "1", "2", "2");

        int entry = table.find("25");

        assertEquals(3, table.rows(entry));
        assertEquals(
                List.of(0, 2, 3),
                List.of(table.row(entry, 0), table.row(entry, 1), table.row(entry, 2)));
        assertEquals(2, table.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"12345678901234567", "a", "1 2", "+49"})
    void whatIsNoPrefixIsRefused(String text) {
        PrefixTable.Builder builder = new PrefixTable.Builder();

        assertThrows(IllegalArgumentException.class, () -> builder.add(text));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aRandomTableAnswersLikeAPlainList(long seed) {
        Random random = new Random(seed);
        // Few characters make many prefixes of one another.
        int characters = 2 + random.nextInt(CHARACTERS.length() - 1);
        List<String> prefixes = new ArrayList<>();
        int count = random.nextInt(2_000);
        for (int i = 0; i < count; i++) {
            prefixes.add(text(random, characters, PrefixTable.MOST_CHARACTERS));
        }
        PrefixTable table = table(prefixes.toArray(String[]::new));

        for (int i = 0; i < 2_000; i++) {
            String number = text(random, characters, 20);
            assertEquals(plain(prefixes, number), found(table, number), number);
        }
    }

    private static String plain(List<String> prefixes, String number) {
        String best = "none";
        int longest = -1;
        for (String each : prefixes) {
            if (number.startsWith(each) && each.length() > longest) {
                best = each;
                longest = each.length();
            }
        }
        return best;
    }

    private static String text(Random random, int characters, int most) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(most + 1);
        for (int i = 0; i < length; i++) {
            text.append(CHARACTERS.charAt(CHARACTERS.length() - 1 - random.nextInt(characters)));
        }
        return text.toString();
    }

    private static String found(PrefixTable table, String number) {
        int entry = table.find(number);
        return entry < 0 ? "none" : table.prefix(entry);
    }

    private static PrefixTable table(String... prefixes) {
        PrefixTable.Builder builder = new PrefixTable.Builder();
        for (String each : prefixes) {
            builder.add(each);
        }
        return builder.build();
    }
}
