package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;

class CgiHeadParserTest {
    private static final int LIMIT = 65_536;
    private static final HeaderField PLAIN = new HeaderField("Content-Type", "text/plain");

    private final CgiHeadParser parser = new CgiHeadParser(LIMIT);

    private CgiHead head(String bytes) throws MalformedFrameException {
        parser.reset();
        assertEquals(CgiHeadParser.State.HEAD, parser.feed(Cuts.buffer(bytes)));
        return parser.head();
    }

    private void assertMalformed(String bytes) {
        for (List<ByteBuffer> cut : Cuts.of(Cuts.bytes(bytes))) {
            parser.reset();
            assertThrows(MalformedFrameException.class, () -> feedAll(cut), bytes);
        }
    }

    private void feedAll(List<ByteBuffer> cut) throws MalformedFrameException {
        for (ByteBuffer piece : cut) {
            parser.feed(piece);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "404 Not Found, 404, Not Found",
        "204, 204, ''",
        "'200 ', 200, ''",
        "'299 \tMine  all ', 299, Mine  all",
        "500 caf\u00e9, 500, caf\u00e9",
        "999 x, 999, x",
    })
    void statusFieldSetsStatusAndReason(String value, int status, String reason)
            throws MalformedFrameException {
        CgiHead head = head("Content-Type: text/plain\r\nstatus:" + value + "\r\n\r\n");

        assertEquals(status, head.status());
        assertEquals(reason, head.reason());
        assertEquals(List.of(PLAIN), head.fields());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "OK", "20", "200OK", "2000", "20x OK", "-20 x", "100 Continue", "199"})
    void statusThatIsNoFinalHttpStatusIsMalformed(String value) {
        assertMalformed("Status: " + value + "\n\n");
    }

    @Test
    void lastStatusFieldCounts() throws Exception {
        assertEquals(404, head("Status: 500 a\nStatus: 404 b\n\n").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://other.test/x", "/local", "relative?q=%20", "//h/..", "x:y"})
    void locationWithoutStatusIsAFoundWithItsValueUnchanged(String target) throws Exception {
        CgiHead head = head("Location: " + target + "\r\n\r\n");

        assertEquals(302, head.status());
        assertEquals(target, head.first("location"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Status: 301 Moved\nLocation: /x\n\n",
                "Location: /x\nStatus: 301 Moved\n\n"
            })
    void statusWinsOverLocationWhereverItStands(String bytes) throws Exception {
        CgiHead head = head(bytes);

        assertEquals(301, head.status());
        assertEquals("Moved", head.reason());
        assertEquals("/x", head.first("Location"));
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 299 Mine, 299, Mine",
        "HTTP/1.0 200 OK, 200, OK",
        "HTTP/1.1 404, 404, ''",
        "'HTTP/1.1 404 ', 404, ''",
    })
    void nphStatusLineIsParsed(String line, int status, String reason) throws Exception {
        CgiHead head = head(line + "\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc");

        assertEquals(status, head.status());
        assertEquals(reason, head.reason());
        assertEquals(List.of(PLAIN), head.fields());
        assertEquals(3, head.contentLength());
    }

    @Test
    void nphStatusLineWinsOverStatusField() throws Exception {
        CgiHead head = head("HTTP/1.1 404 Gone\nStatus: 200 OK\nLocation: /x\n\n");

        assertEquals(404, head.status());
        assertEquals("Gone", head.reason());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/2 200 OK",
                "HTTP/2.0 200 OK",
                "HTTP/1.1",
                "HTTP/1.x 200 OK",
                "HTTP/1. 200 OK",
                "HTTP/1.1\t200 OK",
                "HTTP/1.10 200",
                "HTTP/1.1 100 Continue",
                "HTTP/1.1 abc",
                "HTTP/1.1 200 a\rX: y",
                "HTTP/1.1 200 a\0",
                "HTTP/1.1 200 a\u001b[",
                "HTTP/1.1 200 a\r"
            })
    void brokenNphStatusLineIsMalformed(String line) {
        assertMalformed(line + "\r\nX: y\r\n\r\n");
    }

    @Test
    void headIsTheSameWithEitherLineEndHoweverItIsCut() throws Exception {
        String crlf = "Content-Type: text/plain\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nbody\n\n";
        CgiHead expected = head(crlf);

        for (String bytes : List.of(crlf, crlf.replace("\r", ""), crlf.replace("\r\n\r", "\n\r"))) {
            for (List<ByteBuffer> cut : Cuts.of(Cuts.bytes(bytes))) {
                parser.reset();
                var body = new StringBuilder();
                for (ByteBuffer piece : cut) {
                    parser.feed(piece);
                    body.append(Cuts.text(piece));
                }
                assertEquals(CgiHeadParser.State.HEAD, parser.endOfOutput());
                assertEquals(expected, parser.head());
                assertEquals("body\n\n", body.toString());
                assertEquals(bytes.length() - body.length(), parser.headLength());
                assertEquals(0, parser.collected().remaining());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void blankLineAtOnceIsAHeadWithoutFields(String blank) throws Exception {
        CgiHead head = head(blank);

        assertEquals(200, head.status());
        assertEquals(List.of(new HeaderField("Content-Type", "text/html")), head.fields());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>\n\n</html>",
                "<",
                "just text no header",
                "text\nwith: lines\r\n but no blank one\n",
                "Content-Type: text/plain\r\n",
                "HTTP/1.1 200 OK\r\n",
                "",
                "nul\0"
            })
    void outputWithoutHeadIsAnHtmlBody(String output) throws Exception {
        for (List<ByteBuffer> cut : Cuts.of(Cuts.bytes(output))) {
            parser.reset();
            var rest = new StringBuilder();
            for (ByteBuffer piece : cut) {
                parser.feed(piece);
                rest.append(Cuts.text(piece));
            }
            assertEquals(CgiHeadParser.State.BODY_ONLY, parser.endOfOutput());
            assertEquals(200, parser.head().status());
            assertEquals(
                    List.of(new HeaderField("Content-Type", "text/html")), parser.head().fields());
            assertEquals(0, parser.headLength());
            assertEquals(output, Cuts.text(parser.collected()) + rest);
        }
    }

    @Test
    void outputThatBeginsWithAnAngleBracketIsKnownAtItsFirstByte() throws Exception {
        assertEquals(CgiHeadParser.State.COLLECTING, parser.feed(ByteBuffer.allocate(0)));
        assertThrows(IllegalStateException.class, parser::head);
        assertEquals(CgiHeadParser.State.BODY_ONLY, parser.feed(Cuts.buffer("<")));
    }

    @Test
    void angleBracketInsideAHeadIsAnOrdinaryByte() throws Exception {
        assertEquals("<b>", head("X: <b>\n\n").first("x"));
    }

    @Test
    void headAtTheLimitIsReadAndOneByteMoreIsNot() throws Exception {
        var small = new CgiHeadParser(10);
        assertEquals(CgiHeadParser.State.HEAD, small.feed(Cuts.buffer("Ab: 4567\n\nbody body")));
        small.reset();
        assertEquals(CgiHeadParser.State.COLLECTING, small.feed(Cuts.buffer("Ab: 45678\n")));
        assertThrows(MalformedFrameException.class, () -> small.feed(Cuts.buffer("\n")));
    }

    @Test
    void textWithoutBlankLineIsABodyAtTheLimitAndMalformedAboveIt() throws Exception {
        String text = "x".repeat(LIMIT);

        assertEquals(CgiHeadParser.State.COLLECTING, parser.feed(Cuts.buffer(text)));
        assertEquals(CgiHeadParser.State.BODY_ONLY, parser.endOfOutput());
        assertEquals(LIMIT, parser.collected().remaining());
        assertMalformed(text + "x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BadLine",
                "X",
                ": value",
                " X: y",
                "\tfolded: line",
                "a b: c",
                "X\u00e9: y",
                "\u0000: y",
                "X: a\rb",
                "X: a\0b",
                "X: a\u0007b",
                "X: a\u007fb",
                "X: \ra",
                "X: a\r",
                "X: \u000ba",
                "X: a\f",
                "Status: 200 O\0K",
                "Location: /\rSet-Cookie: x",
                "BadLine\r",
                "\r"
            })
    void brokenLineIsMalformedWhereverItStands(String line) {
        assertMalformed(line + "\r\n\r\n");
        assertMalformed("Content-Type: text/plain\r\n" + line + "\r\nX-After: 1\r\n\r\nbody");
        assertMalformed("A: b\n" + line + "\r\n\n");
    }

    @Test
    void blanksAroundNameAndValueAreRemoved() throws Exception {
        assertEquals(
                List.of(PLAIN, new HeaderField("X", "a\t b")),
                head("Content-Type \t:\t text/plain \t\r\nX:a\t b\n\n").fields());
    }

    @Test
    void repeatedFieldsAreKeptInOrderWithTheirCase() throws Exception {
        assertEquals(
                List.of(
                        PLAIN,
                        new HeaderField("Set-Cookie", "b=2"),
                        new HeaderField("SET-cookie", "a=1"),
                        new HeaderField("Set-Cookie", "b=2"),
                        new HeaderField("X-Empty", "")),
                head("""
                Content-Type: text/plain
                Set-Cookie: b=2
                SET-cookie: a=1
                Set-Cookie: b=2
                X-Empty:

                """)
                        .fields());
    }

    @Test
    void hopByHopFieldsAndThoseThatConnectionNamesAreDropped() throws Exception {
        CgiHead head =
                head(
                        """
                        Connection: close, X-One
                        CONNECTION: x-two,,
                        Keep-Alive: 5
                        Proxy-Connection: x
                        Proxy-Authenticate: x
                        Proxy-Authorization: x
                        TE: x
                        Trailer: x
                        Transfer-Encoding: chunked
                        Upgrade: x
                        X-One: 1
                        x-TWO: 2
                        X-Three: 3
                        Content-Type: text/plain

                        """);

        assertEquals(List.of(new HeaderField("X-Three", "3"), PLAIN), head.fields());
    }

    @Test
    void contentTypeThatConnectionTakesAwayIsTheDefaultAgain() throws Exception {
        assertEquals(
                "text/html",
                head("Connection: content-type\nContent-Type: a/b\n\n").first("Content-Type"));
    }

    @ParameterizedTest
    @CsvSource({"200, text/html", "500, text/html", "204, ", "304, "})
    void missingContentTypeIsHtmlWhereThereCanBeABody(int status, String type) throws Exception {
        assertEquals(type, head("Status: " + status + "\n\n").first("content-type"));
    }

    @Test
    void contentLengthIsKeptApartFromTheFields() throws Exception {
        CgiHead head =
                head("Content-Length: 0012\nContent-Type: text/plain\ncontent-length:12\n\n");

        assertEquals(12, head.contentLength());
        assertEquals(List.of(PLAIN), head.fields());
        assertNull(head("X: y\n\n").contentLength());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "-1",
                "+1",
                "1 2",
                "5, 5",
                "0x10",
                "1\u00b2",
                "1e3",
                "9999999999999999999"
            })
    void contentLengthThatIsNoNumberOfBytesIsMalformed(String value) {
        assertMalformed("Content-Length: " + value + "\n\n");
    }

    @Test
    void differentContentLengthsAreMalformed() {
        assertMalformed("Content-Length: 1\nContent-Length: 2\n\n");
    }

    @Test
    void headerOfAHeadIsFoundWhateverItsCaseAndNullWhenMissing() throws Exception {
        CgiHead head = head("X-A: 1\nx-a: 2\n\n");

        assertEquals("1", head.first("x-A"));
        assertNull(head.first("X-B"));
    }

    @Test
    void headNoContentAndNotModifiedHaveNoBody() throws Exception {
        CgiHead ok = head("X: y\n\n");

        assertTrue(ok.isBodyless("HEAD"));
        assertFalse(ok.isBodyless("GET"));
        assertFalse(ok.isBodyless("head"));
        assertTrue(head("Status: 204\n\n").isBodyless("GET"));
        assertTrue(head("Status: 205\n\n").isBodyless("GET"));
        assertTrue(head("Status: 304\n\n").isBodyless("POST"));
    }

    @Test
    void messageOfAFaultNeverRepeatsThePeersBytes() {
        var thrown =
                assertThrows(
                        MalformedFrameException.class, () -> head("X: secret\u001b[31m\r\n\r\n"));
        assertEquals("CR, LF, NUL or control in value of X", thrown.getMessage());
    }

    @Test
    void headThatCannotBeSentIsAMistakeOfTheCaller() {
        List<HeaderField> none = List.of();

        assertThrows(IllegalArgumentException.class, () -> new CgiHead(199, "", none, null));
        assertThrows(IllegalArgumentException.class, () -> new CgiHead(1000, "", none, null));
        assertThrows(IllegalArgumentException.class, () -> new CgiHead(200, "a\r\n", none, null));
        assertThrows(IllegalArgumentException.class, () -> new CgiHead(200, "", none, -1L));
        assertThrows(IllegalArgumentException.class, () -> new HeaderField("a b", "x"));
        assertThrows(IllegalArgumentException.class, () -> new HeaderField("", "x"));
        assertThrows(IllegalArgumentException.class, () -> new HeaderField("X", "a\nb"));
        assertThrows(IllegalArgumentException.class, () -> new HeaderField("X", "\u0100"));
    }
}
