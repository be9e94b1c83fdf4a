package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {
    private static RequestTarget target(String method, String raw) throws BadRequestException {
        return HeadFixture.aHead().method(method).target(raw).build().target();
    }

    @ParameterizedTest
    @CsvSource({
        "/osp, /osp",
        "/, /",
        "//, /",
        "///osp, /osp",
        "/osp//x, /osp/x",
        "/osp/, /osp/",
        "/osp//, /osp/",
        "/./osp, /osp",
        "/osp/., /osp/",
        "/osp/.., /",
        "/osp/../tep, /tep",
        "/a/b/../../c/, /c/",
        "/a/%2e%2e/osp, /osp",
        "/osp/%2E%2e/x, /x",
        "/%252e%252e/osp, /%2e%2e/osp",
        "/osp/%252fx, /osp/%2fx",
        "/osp;v=1/x, /osp;v=1/x",
        "/.hidden, /.hidden",
        "/...;, /...;",
        "/o%73p, /osp",
        "/a%20b, '/a b'",
        "/a+b, /a+b",
        "http://h.test/osp/x?q, /osp/x",
        "HTTPS://h.test:1/osp, /osp",
        "http://h.test, /",
        "http://h.test?q=1, /",
    })
    void pathIsDecodedOnceAndResolved(String raw, String path) throws BadRequestException {
        assertEquals(path, target("GET", raw).path());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "osp",
                "/../osp",
                "/osp/../..",
                "/%2e%2e/osp",
                "/..;x/osp",
                "/osp/.;/x",
                "/osp/%2e%2e%3bv/x",
                "/a%2fb",
                "/a%2Fb",
                "/a%5cb",
                "/a\\b",
                "/a%00",
                "/s.txt%00.jsp",
                "/a%",
                "/a%4",
                "/a%zz",
                "/a%4g",
                "/a b",
                "/a#b",
                "/a\u00e9",
                "/a\u0001",
                "*",
                "ftp://h.test/",
                "h.test:443",
                "http:///osp",
                "http://user@h.test/osp",
            })
    void targetThatNoServerTakesIsRefused(String raw) {
        assertThrows(BadRequestException.class, () -> target("GET", raw));
    }

    @Test
    void connectIsRefusedInEveryForm() {
        assertThrows(BadRequestException.class, () -> target("CONNECT", "h.test:443"));
        assertThrows(BadRequestException.class, () -> target("CONNECT", "http://h.test/"));
    }

    @Test
    void bytesAboveAsciiBecomeOneCharacterEach() throws BadRequestException {
        assertEquals("/\u00c3\u00a9", target("GET", "/%C3%A9").path());
    }

    @Test
    void queryIsKeptAsItWasSent() throws BadRequestException {
        var target = target("GET", "/osp/../x?a=%2f..//&b=%zz?c");

        assertEquals("a=%2f..//&b=%zz?c", target.query());
        assertEquals("/x", target.path());
    }

    @Test
    void missingQueryIsEmpty() throws BadRequestException {
        assertEquals("", target("GET", "/osp").query());
        assertNull(target("GET", "/osp").authority());
    }

    @Test
    void optionsMayAskForTheServer() throws BadRequestException {
        var target = target("OPTIONS", "*");

        assertEquals("*", target.path());
        assertEquals("*", target.pathBelow("/shop"));
    }

    @Test
    void absoluteTargetNamesItsHost() throws BadRequestException {
        assertEquals(new Authority("h.test", 81), target("GET", "http://h.test:81/x").authority());
    }

    @Test
    void pathIsCutBelowTheContextRootOnWholeSegments() throws BadRequestException {
        assertEquals("/osp", target("GET", "/app/osp").pathBelow("/app"));
        assertEquals("/", target("GET", "/app").pathBelow("/app"));
        assertEquals("/app/osp", target("GET", "/app/osp").pathBelow(""));
        var other = target("GET", "/appx/osp");
        assertThrows(BadRequestException.class, () -> other.pathBelow("/app"));
    }
}
