package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.Locale;

class HttpHeadTest {
    private static HttpHead example() throws MalformedRequestException {
        return Requests.withFields("X-A: 1\r\nCookie: c=d\r\nx-a: 2\r\nX-B: Gzip\r\ncookie:\r\n");
    }

    @Test
    void fieldIsFoundByNameInAnyCase() throws MalformedRequestException {
        HttpHead head = example();

        assertEquals(1, head.find("x-A", 0));
        assertEquals(3, head.find("X-A", 2));
        assertEquals(-1, head.find("X-A", 4));
        assertEquals(-1, head.find("X-AA", 0));
        assertEquals(-1, head.find("X-C", 0));
        assertEquals(-1, head.find("X-\u0141", 0));
        assertEquals(-1, head.find("", 0));
        assertEquals(2, head.find("COOKIE", 0));
        assertEquals(5, head.find(KnownField.COOKIE, 3));
        assertEquals(-1, head.find(KnownField.DATE));
    }

    @Test
    void sameNamesDifferInCaseAtMost() throws MalformedRequestException {
        HttpHead head = example();

        assertTrue(head.isSameName(1, 3));
        assertTrue(head.isSameName(2, 5));
        assertFalse(head.isSameName(1, 2));
        assertFalse(head.isSameName(1, 4));
        assertFalse(Requests.withFields("X-A: 1\r\nX-AA: 2\r\n").isSameName(1, 2));
        assertNull(head.known(1));
    }

    @Test
    void eachKnownNameIsFoundAmongAllOthersAndMissingWithoutIt() throws MalformedRequestException {
        for (KnownField wanted : KnownField.values()) {
            var others = new StringBuilder();
            for (KnownField other : KnownField.values()) {
                boolean framing =
                        other == KnownField.HOST
                                || other == KnownField.CONTENT_LENGTH
                                || other == KnownField.TRANSFER_ENCODING;
                if (other != wanted && !framing) {
                    others.append(other.lower()).append(": x\r\n");
                }
            }
            HttpHead without = Requests.withFields(others.toString());
            boolean there = wanted == KnownField.HOST;
            assertEquals(there ? 0 : -1, without.find(wanted), wanted.lower());
        }
    }

    @Test
    void repeatedNamesAreNoticed() throws MalformedRequestException {
        assertFalse(Requests.withFields("Accept: 1\r\nX-A: 2\r\nX-BC: 3\r\n").mayRepeatNames());
        assertTrue(Requests.withFields("Accept: 1\r\naccept: 2\r\n").mayRepeatNames());
        assertTrue(Requests.withFields("X-A: 1\r\nTe: x\r\nx-a: 2\r\n").mayRepeatNames());
        String longest = "x".repeat(200);
        assertTrue(Requests.withFields(longest + ": 1\r\n" + longest + ": 2\r\n").mayRepeatNames());
    }

    @Test
    void wordIsTheWholeValueInAnyCase() throws MalformedRequestException {
        HttpHead head = example();

        assertTrue(head.isWord(head.value(4), "gzip"));
        assertFalse(head.isWord(head.value(4), "gzi"));
        assertFalse(head.isWord(head.value(4), "gzix"));
    }

    @Test
    void headsAreEqualWhenTheirBytesAre() throws MalformedRequestException {
        assertEquals(example(), example());
        assertEquals(example().hashCode(), example().hashCode());
        assertNotEquals(example(), Requests.withFields(""));
        assertNotEquals(example(), (Object) "x");
    }

    @Test
    void textOfAHeadIsItsFirstLine() throws MalformedRequestException {
        assertEquals("GET / HTTP/1.1", example().toString());
    }

    @Test
    void headDoesNotChangeWhenItsSourceDoes() throws MalformedRequestException {
        byte[] bytes = Requests.bytes("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
        HttpHead head = requireNonNull(Requests.reader().read(bytes, 0, bytes.length));
        Arrays.fill(bytes, (byte) 0);

        assertEquals("/a", head.text(head.target()));
    }

    @Test
    void readerThatIsDoneWantsToBeReset() throws MalformedRequestException {
        byte[] bytes = Requests.bytes(Requests.NEXT + Requests.NEXT);
        HeadReader reader = Requests.reader();
        HttpHead first = reader.read(bytes, 0, bytes.length);

        assertThrows(IllegalStateException.class, () -> reader.read(bytes, 0, bytes.length));
        int length = reader.length();
        reader.reset();
        assertEquals(first, reader.read(bytes, length, bytes.length));
    }

    @Test
    void nothingOfARequestStaysForTheNext() throws MalformedRequestException {
        String lines =
                """
                POST / HTTP/1.1\r
                Host: a\r
                Transfer-Encoding: chunked\r
                Connection: close\r
                Content-Type: a/b\r
                \r
                """;
        byte[] first = Requests.bytes(lines);
        byte[] second = Requests.bytes("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        HeadReader reader = Requests.reader();
        reader.read(first, 0, first.length);
        reader.reset();

        HttpHead head = requireNonNull(reader.read(second, 0, second.length));

        assertEquals(Framing.NONE, head.framing());
        assertEquals(0, head.minorVersion());
        assertTrue(head.isLasting());
        assertEquals(1, head.fields());
    }

    @ParameterizedTest
    @EnumSource
    void knownFieldIsFoundInAnyCase(KnownField field) {
        String upper = field.lower().toUpperCase(Locale.ROOT);

        assertEquals(field, KnownField.of(field.lower()));
        assertEquals(field, KnownField.of(upper));
        assertEquals(field, KnownField.at(field.number()));
        assertNull(KnownField.of(field.lower() + "x"));
        assertNull(KnownField.of(field.lower().replace(field.lower().charAt(0), '_')));
    }
}
