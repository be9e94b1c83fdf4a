package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("RFC 9112 section 5, RFC 9110 section 5: fields")
class FieldLinesTest {
    private static String value(String line) throws MalformedRequestException {
        HttpHead head = Requests.withFields(line + "\r\n");
        return head.text(head.value(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"X:b", "X: b", "X:  b", "X:\tb", "X: \t b", "X:b ", "X:b\t ", "X: b \t"})
    @DisplayName("5: white space around a value is not part of it")
    void whiteSpaceAroundAValueIsNotPartOfIt(String line) throws MalformedRequestException {
        assertEquals("b", value(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X:", "X: ", "X:\t", "X: \t  "})
    @DisplayName("RFC 9110 5.5: a value may be empty")
    void emptyValueIsAccepted(String line) throws MalformedRequestException {
        assertEquals("", value(line));
    }

    @Test
    @DisplayName("RFC 9110 5.5: white space, tabs and bytes above 127 inside a value are kept")
    void valueIsKeptAsItWasSent() throws MalformedRequestException {
        assertEquals("a \t  b", value("X: a \t  b"));
        assertEquals("\u0080\u00a0\u00ff", value("X: \u0080\u00a0\u00ff"));
        assertEquals("a: b: c", value("X: a: b: c"));
        assertEquals("\"a\\\"b\"", value("X: \"a\\\"b\""));
    }

    @Test
    @DisplayName("RFC 9110 5.5: CR, LF and NUL make a value invalid; other controls do here too")
    void controlCharacterInAValueIsRefused() {
        for (int c = 0; c < 256; c++) {
            if ((c < ' ' && c != '\t') || c == 0x7F) {
                assertEquals(400, Requests.refusedFields("X: a" + (char) c + "b\r\n"), "byte " + c);
                assertEquals(400, Requests.refusedFields("X: " + (char) c + "\r\n"), "byte " + c);
            }
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 5.5: every byte at every place of a value, as its eighth and its last too")
    void everyByteIsJudgedTheSameAtEveryPlace() throws MalformedRequestException {
        for (int c = 0; c < 256; c++) {
            boolean control = (c < ' ' && c != '\t') || c == 0x7F;
            for (int place = 0; place < 20; place++) {
                String value = "a".repeat(place + 1) + (char) c + "\u0080~ \u00ffb";
                if (control) {
                    assertEquals(400, Requests.refusedFields("X:" + value + "\r\n"), "byte " + c);
                } else {
                    assertEquals(value, value("X:" + value), "byte " + c);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X : b", "X\t: b", "X  : b", "Content-Length : 5", "Host : b"})
    @DisplayName("5.1: white space before the colon is refused with 400")
    void whiteSpaceBeforeTheColonIsRefused(String line) {
        assertEquals(400, Requests.refusedFields(line + "\r\n"));
    }

    @Test
    @DisplayName("RFC 9110 5.1: a name is a token")
    void nameThatIsNoTokenIsRefused() {
        String letters = "!#$%&'*+-.^_`|~0123456789ABCabcXYZxyz";
        for (int c = 0; c < 256; c++) {
            boolean letter = c < 0x80 && (Character.isLetterOrDigit(c) || letters.indexOf(c) >= 0);
            if (!letter && c != ':') {
                assertEquals(400, Requests.refusedFields("X" + (char) c + "Y: b\r\n"), "byte " + c);
            }
        }
        assertEquals(400, Requests.refusedFields(": b\r\n"));
        assertEquals(400, Requests.refusedFields("X\r\n"));
        assertEquals(400, Requests.refusedFields("X b\r\n"));
    }

    @Test
    @DisplayName("RFC 9110 5.1: every token is a name")
    void everyTokenIsAName() throws MalformedRequestException {
        HttpHead head = Requests.withFields("!#$%&'*+-.^_`|~09AZaz: b\r\n");

        assertEquals("!#$%&'*+-.^_`|~09AZaz", head.text(head.name(1)));
    }

    @Test
    @DisplayName("RFC 9110 5.1: names have no case, and are kept as they were sent")
    void namesHaveNoCase() throws MalformedRequestException {
        HttpHead head = Requests.withFields("cOOKIE: a\r\nx-Own: b\r\n");

        assertEquals(KnownField.COOKIE, head.known(1));
        assertEquals("cOOKIE", head.text(head.name(1)));
        assertEquals(2, head.find("X-OWN", 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: a\r\n b\r\n",
                "X: a\r\n\tb\r\n",
                "X: a\r\n \r\n",
                "X:\r\n b\r\n",
                "Transfer-Encoding:\r\n chunked\r\n"
            })
    @DisplayName("5.2: a value on more than one line is refused with 400")
    void foldedValueIsRefused(String lines) {
        assertEquals(400, Requests.refusedFields(lines));
    }

    @Test
    @DisplayName("RFC 9110 5.3: the order of fields is kept, repeated names too")
    void orderOfFieldsIsKept() throws MalformedRequestException {
        HttpHead head = Requests.withFields("X: 1\r\nCookie: a\r\nx: 2\r\nCookie: b\r\nX: 3\r\n");

        assertEquals(6, head.fields());
        assertEquals("1", head.text(head.value(1)));
        assertEquals("2", head.text(head.value(3)));
        assertEquals("3", head.text(head.value(5)));
        assertEquals(2, head.find(KnownField.COOKIE));
        assertEquals(4, head.find(KnownField.COOKIE, 3));
    }

    @Test
    @DisplayName("RFC 9110 8.3: more than one Content-Type is refused, as readers differ on it")
    void secondContentTypeIsRefused() {
        assertEquals(400, Requests.refusedFields("Content-Type: a/b\r\nContent-Type: a/b\r\n"));
    }

    @Test
    @DisplayName("RFC 9110 5.5: fields that are not known are kept")
    void unknownFieldsAreKept() throws MalformedRequestException {
        HttpHead head = Requests.withFields("X-Nobody-Knows: a\r\nSoapAction:\r\n");

        assertEquals("X-Nobody-Knows", head.text(head.name(1)));
        assertEquals("SoapAction", head.text(head.name(2)));
    }
}
