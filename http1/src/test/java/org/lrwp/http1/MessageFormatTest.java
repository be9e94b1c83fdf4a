package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("RFC 9112 section 2: messages")
class MessageFormatTest {
    @Test
    @DisplayName("2.2: a message is read as bytes, not as text of some encoding")
    void bytesThatAreNoUtf8AreReadAsTheyAre() throws MalformedRequestException {
        HttpHead head = Requests.withFields("X: \u00c3(\u00fe\u00ff\r\n");

        assertEquals("\u00c3(\u00fe\u00ff", head.text(head.value(1)));
    }

    @Test
    @DisplayName("2.2: a multibyte character whose last byte is LF ends no line")
    void lineFeedInAMultibyteCharacterIsNoLineEnd() {
        assertEquals(400, Requests.refusedFields("X: \u00e5\u0a0d\n\r\n"));
        assertEquals(400, Requests.refusedFields("X: \u00c4\nY: b\r\n"));
    }

    @Test
    @DisplayName("2.2: empty lines before a request are ignored")
    void emptyLinesBeforeARequestAreIgnored() throws MalformedRequestException {
        HttpHead head = Requests.head("\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");

        assertEquals("GET", head.methodText());
        assertEquals('G', head.bytes()[0]);
    }

    @Test
    @DisplayName("2.2: an empty line behind a body is ignored before the next request")
    void emptyLineBehindABodyIsNotPartOfTheNextRequest() {
        Conversation all =
                Conversation.read(
                        Requests.bytes(
                                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab\r\n"
                                        + Requests.NEXT));

        assertEquals(2, all.messages().size());
        assertEquals(Conversation.MORE, all.end());
    }

    @Test
    @DisplayName("2.2: a head has begun only behind the empty lines")
    void headHasBegunWithItsFirstByte() throws MalformedRequestException {
        HeadReader reader = Requests.reader();
        byte[] bytes = Requests.bytes("\r\nG");

        assertFalse(reader.isBegun());
        reader.read(bytes, 0, 1);
        assertFalse(reader.isBegun());
        reader.read(bytes, 0, 2);
        assertFalse(reader.isBegun());
        reader.read(bytes, 0, 3);
        assertTrue(reader.isBegun());
    }

    @Test
    @DisplayName("2.2: a line that ends with LF alone may be taken; it is refused")
    void lineFeedWithoutCarriageReturnIsRefused() {
        assertEquals(400, Requests.refused("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\nHost: a\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\nHost: a\r\n\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\nX\n: b\r\nHost: a\r\n\r\n"));
    }

    @Test
    @DisplayName("2.2: a CR without LF makes an element invalid")
    void carriageReturnWithoutLineFeedIsRefused() {
        assertEquals(400, Requests.refused("\rGET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GE\rT / HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET /\r HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\rHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refusedFields("X\r: b\r\n"));
        assertEquals(400, Requests.refusedFields("X: b\rc\r\n"));
        assertEquals(400, Requests.refusedFields("X: b\r\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\nHost: a\r\n\rX"));
    }

    @Test
    @DisplayName("2.2: white space between first line and first field is not skipped")
    void whiteSpaceBeforeTheFirstFieldIsRefused() {
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\n Host: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\n\tHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\n \r\nHost: a\r\n\r\n"));
    }

    @Test
    @DisplayName("2.2: bytes that are no request are refused with 400")
    void bytesThatAreNoRequestAreRefused() {
        assertEquals(400, Requests.refused("\u0016\u0003\u0001\u0002\u0000"));
        assertEquals(400, Requests.refused("{\"a\": 1}"));
        assertEquals(400, Requests.refused("HTTP/1.1 200 OK\r\n\r\n"));
        assertEquals(400, Requests.refused(" GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    @Test
    @DisplayName("2.3: the version's name has case")
    void versionInLowerCaseIsRefused() {
        assertEquals(400, Requests.refused("GET / http/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / Http/1.1\r\nHost: a\r\n\r\n"));
    }

    @Test
    @DisplayName("2.3: a version is two digits and a dot")
    void versionOfAnotherFormIsRefused() {
        for (String version :
                new String[] {
                    "HTTP/1",
                    "HTTP/1.",
                    "HTTP/1.10",
                    "HTTP/01.1",
                    "HTTP/1,1",
                    "HTTP/x.1",
                    "HTTP/1.x",
                    "HTTP 1.1",
                    "HTTP/11.",
                    "HTTP/1.1 ",
                    "",
                    "ICY/1.1",
                    "HTTP/-1.1"
                }) {
            assertEquals(
                    400, Requests.refused("GET / " + version + "\r\nHost: a\r\n\r\n"), version);
        }
    }

    @Test
    @DisplayName("RFC 9110 2.5: a higher minor version counts as 1.1")
    void higherMinorVersionCountsAsOne() throws MalformedRequestException {
        HttpHead head = Requests.head("GET / HTTP/1.9\r\nHost: a\r\n\r\n");

        assertEquals(1, head.minorVersion());
        assertTrue(head.isLasting());
    }

    @Test
    @DisplayName("RFC 9110 15.6.6: another major version is refused with 505")
    void otherMajorVersionIsRefusedWith505() {
        assertEquals(505, Requests.refused("GET / HTTP/2.0\r\nHost: a\r\n\r\n"));
        assertEquals(505, Requests.refused("GET / HTTP/0.9\r\nHost: a\r\n\r\n"));
        assertEquals(505, Requests.refused("GET / HTTP/3.1\r\nHost: a\r\n\r\n"));
    }

    @Test
    @DisplayName("RFC 9113 3.4: the preface of HTTP/2 is no request of HTTP/1")
    void prefaceOfHttp2IsRefused() {
        assertEquals(400, Requests.refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    }

    @Test
    @DisplayName("HTTP/0.9 had one line only")
    void requestWithoutVersionIsRefused() {
        assertEquals(400, Requests.refused("GET /\r\n"));
        assertEquals(400, Requests.refused("GET / \r\n"));
    }
}
