package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

/** What a ticket is good for, and what is none. */
class TicketTest {
    private static final byte[] SECRET =
            "a secret of the nodes".getBytes(StandardCharsets.US_ASCII);
    private static final Subjects B = new Subjects("test", "b", 5);

    private static Ticket until(long time) {
        return new Ticket("a", "b", 5, "an.1", 300_000, time);
    }

    @Test
    void itIsReadAsItWasSigned() {
        Ticket ticket = until(1000);
        assertEquals(ticket, Ticket.read(ticket.signed(SECRET), SECRET));
        assertEquals("", ticket.fault(B, 999));
    }

    @Test
    void itIsGoodAtOneNodeForAWhile() {
        assertEquals("it is expired", until(1000).fault(B, 1000));
        long far = 2 * Ticket.TIME.toMillis();
        assertEquals("", until(1000 + far).fault(B, 1000));
        assertEquals("it is expired", until(1001 + far).fault(B, 1000));
        Subjects restarted = new Subjects("test", "b", 6);
        assertEquals("it is for another node", until(1000).fault(restarted, 0));
        Subjects c = new Subjects("test", "c", 5);
        assertEquals("it is for another node", until(1000).fault(c, 0));
    }

    @Test
    void everyChangedBitIsSeen() {
        String signed = until(1000).signed(SECRET);
        for (int i = 0; i < signed.length(); i++) {
            char other = signed.charAt(i) == 'A' ? 'B' : 'A';
            String forged = signed.substring(0, i) + other + signed.substring(i + 1);
            // The last characters of either part have bits that say nothing.
            boolean last = i == signed.length() - 1 || signed.charAt(i + 1) == '.';
            if (!last) {
                assertThrows(
                        IllegalArgumentException.class, () -> Ticket.read(forged, SECRET), forged);
            }
        }
        byte[] another = "another secret of theirs".getBytes(StandardCharsets.US_ASCII);
        assertThrows(IllegalArgumentException.class, () -> Ticket.read(signed, another));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a", "!.!", "YQ.YQ"})
    void whatIsNoneIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Ticket.read(text, SECRET));
    }
}
