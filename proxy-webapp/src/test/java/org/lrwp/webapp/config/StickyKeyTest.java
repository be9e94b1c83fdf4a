package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.identity.Secret;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

class StickyKeyTest {
    private static StickyKey key(String text) {
        return new StickyKey(new Secret(text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** RFC 4231, test case 2. */
    @Test
    void theHashIsThatOfTheStandard() {
        assertEquals(
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                HexFormat.of().formatHex(key("Jefe").of("what do ya want for nothing?")));
    }

    @Test
    void theKeyOfThisRunIsOneAndItsOwn() {
        byte[] hash = StickyKey.OF_THIS_RUN.of("x");
        assertArrayEquals(hash, StickyKey.OF_THIS_RUN.of("x"));
        assertFalse(Arrays.equals(hash, key("Jefe").of("x")));
    }
}
