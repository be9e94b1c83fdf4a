package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.request.HeadFixture.aHead;
import static org.lrwp.engine.request.HeadFixture.aHeadWithoutFields;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class RequestHeadTest {
    private static void assertRefused(HeadFixture head) {
        assertThrows(BadRequestException.class, head::build);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GE T", "G\u0000T", "GET/", "G\u00c9T", "(GET)", "\r\nGET"})
    void methodMustBeAToken(String method) {
        assertRefused(aHead().method(method));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATCH", "PROPFIND", "M-SEARCH", "get"})
    void everyTokenIsAMethod(String method) throws BadRequestException {
        assertEquals(method, aHead().method(method).build().method());
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/0.9", "HTTP/3.0", "http/1.1", ""})
    void unknownVersionIsRefused(String protocol) {
        assertRefused(aHead().protocol(protocol));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "X Y", "X:", "X\u0000", "X=", "X\u00e9", "X\r", "X(", " X"})
    void fieldNameMustBeAToken(String name) {
        assertRefused(aHead().with(name, "v"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\rb", "a\nb", "a\r\n b", "a\u007f", "\u0001", "\u0100"})
    void fieldValueMustHoldNoControl(String value) {
        assertRefused(aHead().with("X", value));
    }

    @Test
    void tabsAndHighBytesAreFineInAValue() throws BadRequestException {
        assertEquals("a\tb\u00e9", aHead().with("X", "a\tb\u00e9").build().first("x"));
    }

    @Test
    void hostMustBeThereOnceInHttp11() throws BadRequestException {
        assertRefused(aHeadWithoutFields());
        assertRefused(aHead().with("host", "Example.test:8080"));
        assertEquals(
                new Authority("127.0.0.1", -1),
                aHeadWithoutFields().protocol("HTTP/1.0").build().authority());
        assertRefused(aHead().protocol("HTTP/1.0").with("Host", "other"));
        assertEquals(
                "127.0.0.1", aHeadWithoutFields().protocol("HTTP/2.0").build().authority().host());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "user@example.test",
                "example.test/path",
                "a b",
                "a,b",
                "a:b",
                "a:80:80",
                "a:-1",
                "a:65536",
                "a:99999999999",
                "a?b",
                "a%41",
                "[::1",
                "[::1]x",
                "[]",
                "[g::]",
                "::1",
                ".",
                ":80",
                "a<b>",
            })
    void hostWithAnythingButNameAndPortIsRefused(String host) {
        assertRefused(aHeadWithoutFields().with("Host", host));
    }

    @Test
    void hostLongerThanAnyNameIsRefused() {
        assertRefused(aHeadWithoutFields().with("Host", "a".repeat(256)));
    }

    @ParameterizedTest
    @CsvSource({
        "Example.Test:8080, example.test, 8080",
        "example.test., example.test, -1",
        "example.test:, example.test, -1",
        "'[::1]:81', '[::1]', 81",
        "'[::ffff:10.0.0.1]', '[::ffff:10.0.0.1]', -1",
        "10.0.0.1, 10.0.0.1, -1",
        "my_host-1, my_host-1, -1",
    })
    void hostIsMatchedInLowerCaseWithoutPort(String host, String virtualHost, int port)
            throws BadRequestException {
        var authority = aHeadWithoutFields().with("Host", host).build().authority();

        assertEquals(virtualHost, authority.virtualHost());
        assertEquals(port, authority.port());
    }

    @Test
    void absoluteTargetWinsOverHost() throws BadRequestException {
        var head = aHead().target("http://other.test/x").build();

        assertEquals("other.test", head.authority().virtualHost());
        assertRefused(aHeadWithoutFields().target("http://other.test/x"));
        assertRefused(aHeadWithoutFields().with("Host", "a@b").target("http://other.test/x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"gzip", "gzip, chunked", "chunked, chunked", "xchunked", "identity", ""})
    void transferEncodingOtherThanChunkedIsRefused(String coding) {
        assertRefused(aHead().with("Transfer-Encoding", coding));
    }

    @Test
    void chunkedIsOfUnknownLength() throws BadRequestException {
        assertEquals(-1, aHead().with("Transfer-Encoding", "Chunked").build().bodyLength());
    }

    @Test
    void framingThatCanBeReadInTwoWaysIsRefused() {
        assertRefused(aHead().with("Transfer-Encoding", "chunked").with("Content-Length", "5"));
        assertRefused(
                aHead().with("Transfer-Encoding", "chunked").with("Transfer-Encoding", "chunked"));
        assertRefused(aHead().protocol("HTTP/1.0").with("Transfer-Encoding", "chunked"));
        assertRefused(
                aHeadWithoutFields().protocol("HTTP/2.0").with("Transfer-Encoding", "chunked"));
        assertRefused(aHead().with("Content-Length", "5").with("Content-Length", "5"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+5", "-5", "5, 5", "0x5", "5 5", "5.0", "9999999999999999999"})
    void contentLengthMustBeDigits(String length) {
        assertRefused(aHead().with("Content-Length", length));
    }

    @Test
    void bodyLengthIsKnownFromTheHead() throws BadRequestException {
        assertEquals(12, aHead().with("Content-Length", "0012").build().bodyLength());
        assertEquals(0, aHead().build().bodyLength());
        assertEquals(-1, aHead().protocol("HTTP/2.0").build().bodyLength());
    }

    @Test
    void twoContentTypesAreRefused() {
        assertRefused(aHead().with("Content-Type", "a/b").with("content-type", "c/d"));
    }

    @Test
    void valuesAreFoundInAnyCaseAndInOrder() throws BadRequestException {
        var head = aHead().with("X-A", "1").with("x-a", "2").build();

        assertEquals(List.of("1", "2"), head.values("X-a"));
        assertEquals("1", head.first("x-A"));
        assertNull(head.first("X-B"));
        assertEquals(3, head.fields().size());
    }

    @Test
    void sizeIsThatOfTheHeadOnTheWire() throws BadRequestException {
        String wire = "GET /osp/x?a=1 HTTP/1.1\r\nHost: Example.test:8080\r\n\r\n";

        assertTrue(Math.abs(aHead().build().size() - wire.length()) <= 2);
    }

    /** RFC 9110 section 10.1.1. */
    @ParameterizedTest
    @ValueSource(strings = {"200-ok", "100-continue, more", "100-continue=1"})
    void unknownExpectationIs417InHttp11And2Only(String expectation) throws BadRequestException {
        for (String protocol : List.of("HTTP/1.1", "HTTP/2.0")) {
            HeadFixture head = aHead().protocol(protocol).with("Expect", expectation);
            var refused = assertThrows(BadRequestException.class, head::build);
            assertEquals(417, refused.status());
        }
        assertEquals(
                "GET", aHead().protocol("HTTP/1.0").with("Expect", expectation).build().method());
    }

    @ParameterizedTest
    @ValueSource(strings = {"100-continue", "100-Continue,", ""})
    void knownExpectationIsFine(String expectation) throws BadRequestException {
        assertEquals("GET", aHead().with("Expect", expectation).build().method());
    }
}
