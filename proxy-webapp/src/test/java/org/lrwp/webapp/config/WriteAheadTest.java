package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteAheadTest {
    @ParameterizedTest
    @CsvSource({"0, 262144", "1, 262144", "4, 262144", "8, 131072", "64, 16384", "9999, 16384"})
    void manySlowClientsShareWhatThereIs(int slow, int share) {
        assertEquals(share, new WriteAhead(262_144, 1 << 20).among(slow));
    }

    @Test
    void oneClientNeverHasMoreThanItsOwn() {
        assertEquals(100, new WriteAhead(100, 1 << 20).among(1));
        assertEquals(100, new WriteAhead(100, 1).among(1_000_000));
    }

    @Test
    void withoutATotalItIsAPartOfTheHeap() {
        assertTrue(new WriteAhead(1, 0).all() >= Runtime.getRuntime().maxMemory() / 8);
        assertThrows(IllegalArgumentException.class, () -> new WriteAhead(0, 0));
        assertThrows(IllegalArgumentException.class, () -> new WriteAhead(1, -1));
    }
}
