package org.lrwp.runtime.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.sdk.RequestHead;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

class CallerTest {
    private static final byte[] TOKEN = "s3cr\u00e9t".getBytes(StandardCharsets.ISO_8859_1);

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "::1"})
    void anAddressIsThatOfTheClient(String address) {
        RequestHead head = RequestHead.of(Map.of("REMOTE_ADDR", address));

        assertEquals(InetAddress.ofLiteral(address), Caller.address(head));
    }

    @ParameterizedTest
    @CsvSource({
        "REMOTE_ADDR, localhost, X, x",
        "REMOTE_ADDR, '', X, x",
        "REMOTE_HOST, 127.0.0.1, X, x",
        "REMOTE_ADDR, 127.0.0.1, LRWP_FORWARDED, 1",
        "REMOTE_ADDR, 127.0.0.1, HTTP_FORWARDED, for=192.0.2.1",
        "REMOTE_ADDR, 127.0.0.1, HTTP_X_FORWARDED_FOR, ''",
    })
    void whatIsNoneOrWasForwardedHasNoAddress(
            String name, String value, String other, String otherValue) {
        assertNull(Caller.address(RequestHead.of(Map.of(name, value, other, otherValue))));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "2001:db8:1:2::7, 2001:db8:1:2:0:0:0:0",
        "2001:db8:1:2:ffff::, 2001:db8:1:2:0:0:0:0",
        "localhost, unknown",
        "'', unknown"
    })
    void guessesCountForAnAddressOrItsNetwork(String address, String source) {
        assertEquals(source, Caller.source(RequestHead.of(Map.of("REMOTE_ADDR", address))));
    }

    @ParameterizedTest
    @CsvSource({
        "Bearer s3cr\u00e9t, true",
        "bearer  s3cr\u00e9t , true",
        "BEARER s3cr\u00e9t, true",
        "Bearer s3cr\u00e9, false",
        "Bearer s3cr\u00e9tx, false",
        "Bearer, false",
        "Basic s3cr\u00e9t, false",
    })
    void aTokenIsShownWhole(String header, boolean shown) {
        RequestHead head = RequestHead.of(Map.of("HTTP_AUTHORIZATION", header));

        assertEquals(shown, Caller.shows(head, TOKEN));
    }

    @Test
    void nobodyShowsATokenThatThereIsNot() {
        RequestHead empty = RequestHead.of(Map.of("HTTP_AUTHORIZATION", "Bearer "));

        assertFalse(Caller.shows(empty, new byte[0]));
        assertFalse(Caller.shows(RequestHead.of(Map.of()), TOKEN));
    }
}
