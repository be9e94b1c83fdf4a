package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;
import java.util.List;

class UpgradeNamesTest {
    @Test
    void listIsReadWithBlanksAroundItsNames() {
        assertEquals(List.of("websocket", "Foo/2"), UpgradeNames.of("websocket ,\tFoo/2").names());
        assertSame(UpgradeNames.NONE, UpgradeNames.of(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "websocket,", "web socket", "a/", "/1", "a/b/c", "\u00e9", "a=b"})
    void whatIsNoNameIsRefusedInAList(String text) {
        assertThrows(IllegalArgumentException.class, () -> UpgradeNames.of(text));
    }

    @Test
    void listAboveItsLimitsIsRefused() {
        String longest = "n".repeat(UpgradeNames.MAX_LENGTH);
        String most = String.join(",", Collections.nCopies(UpgradeNames.MAX_NAMES, longest));

        assertEquals(UpgradeNames.MAX_NAMES, UpgradeNames.of(most).names().size());
        assertThrows(IllegalArgumentException.class, () -> UpgradeNames.of(most + ",x"));
        assertThrows(IllegalArgumentException.class, () -> UpgradeNames.of(longest + "n"));
    }

    @Test
    void offerOfSeveralFieldsKeepsItsOrder() {
        assertEquals(
                List.of("websocket", "foo/2", "bar"),
                UpgradeNames.offered(List.of("websocket, foo/2", "bar")).names());
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2c", "H2C", "h2c/1", "", ",", "web socket", "a/b/c"})
    void http2AndWhatIsNoNameAreNotOffered(String field) {
        assertSame(UpgradeNames.NONE, UpgradeNames.offered(List.of(field)));
    }

    @Test
    void whatIsOfferedBeyondTheLimitIsDropped() {
        String field = String.join(",", Collections.nCopies(40, "x"));

        assertEquals(16, UpgradeNames.offered(List.of(field)).names().size());
    }

    @ParameterizedTest
    @CsvSource({
        "websocket, WebSocket, true",
        "'foo, websocket', 'bar, websocket', true",
        "foo, foo/2, true",
        "foo/2, FOO/2, true",
        "foo/2, foo/3, false",
        "foo/2, foo, false",
        "foo, bar, false",
        "'', websocket, false",
        "websocket, '', false",
    })
    void peerTakesAnOfferWithoutRegardToCase(String taken, String offered, boolean takes) {
        assertEquals(takes, UpgradeNames.of(taken).takes(UpgradeNames.of(offered)));
    }

    @Test
    void choiceHasToBeOneOfTheOfferWithItsVersion() {
        UpgradeNames offer = UpgradeNames.of("websocket, foo/2");

        assertTrue(offer.contains("WebSocket"));
        assertTrue(offer.contains("foo/2"));
        assertFalse(offer.contains("foo"));
        assertFalse(offer.contains(null));
    }
}
