package org.lrwp.engine.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.testkit.TestEngine;

import java.nio.ByteBuffer;
import java.time.Duration;

class PeerTextTest {
    @ParameterizedTest
    @CsvSource({
        "/osp/a-b_c.d:1, /osp/a-b_c.d:1",
        "a b,            a\\x20b",
        "<b>&\"\\,       \\x3cb\\x3e\\x26\\x22\\x5c",
        "{0}%s,          \\x7b0\\x7d\\x25s",
    })
    void whatMeansSomethingInLogsOrMarkupIsEscaped(String text, String expected) {
        assertEquals(expected, PeerText.escape(text));
    }

    @Test
    void controlsAndHighBytesAreEscaped() {
        assertEquals(
                "\\x00\\x0a\\x0d\\x1b\\x7f\\xfe'",
                PeerText.escape("\0\n\r\u001b\u007f\u00fe") + "'");
        assertEquals("", PeerText.escape(""));
    }

    @Test
    void atMost32BytesAreShownAndNoneConsumed() {
        ByteBuffer bytes = TestEngine.bytes("_\u00ff" + "x".repeat(40)).position(1);
        assertEquals("\\xff" + "x".repeat(31) + "...", PeerText.escape(bytes));
        assertEquals(1, bytes.position());
        assertEquals("ab", PeerText.escape(TestEngine.bytes("ab")));
    }

    @Test
    void limitsOfPeersAreChecked() {
        Duration fine = Duration.ofSeconds(1);
        for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofNanos(-1)}) {
            assertThrows(
                    IllegalArgumentException.class, () -> new PeerConfig(bad, fine, true, 1, fine));
            assertThrows(
                    IllegalArgumentException.class, () -> new PeerConfig(fine, bad, true, 1, fine));
        }
        assertThrows(
                IllegalArgumentException.class, () -> new PeerConfig(fine, fine, true, 0, fine));
    }

    @Test
    void aSentenceKeepsItsSpacesOnly() {
        assertEquals("disk full\\x0a\\x22now\\x22", PeerText.sentence("disk full\n\"now\""));
    }
}
