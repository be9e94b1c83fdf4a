package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("RFC 9112 section 3, RFC 9110 section 5.4, RFC 6585 section 5: limits")
class LimitsTest {
    private static final String HEAD = "GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";

    @Test
    @DisplayName("a head as long as the limit is read, one byte more is 431")
    void headAboveTheLimitIsRefusedWith431() throws MalformedRequestException {
        byte[] bytes = Requests.bytes(HEAD);
        HeadReader below = new HeadReader(bytes.length - 1, 2);

        assertNotNull(new HeadReader(bytes.length, 2).read(bytes, 0, bytes.length));
        assertEquals(431, refused(below, bytes));
    }

    @Test
    @DisplayName("bytes behind a head do not count")
    void bytesBehindAHeadDoNotCount() throws MalformedRequestException {
        byte[] bytes = Requests.bytes(HEAD + "x".repeat(Requests.MOST_BYTES));
        HeadReader reader = new HeadReader(HEAD.length(), 2);

        assertNotNull(reader.read(bytes, 0, bytes.length));
        assertEquals(HEAD.length(), reader.length());
    }

    @Test
    @DisplayName("as many fields as the limit are read, one more is 431")
    void fieldsAboveTheLimitAreRefusedWith431() throws MalformedRequestException {
        String lines = "X: y\r\n".repeat(Requests.MOST_FIELDS - 1);

        assertEquals(Requests.MOST_FIELDS, Requests.withFields(lines).fields());
        assertEquals(431, Requests.refusedFields(lines + "Z:\r\n"));
    }

    @ParameterizedTest
    @CsvSource({"10,414", "12,414", "3,501", "2,501", "17,431", "25,431", "32,431"})
    @DisplayName("the part in which the limit is reached says the status")
    void partThatIsTooLongGivesTheStatus(int most, int status) {
        assertEquals(status, refused(new HeadReader(most, 9), Requests.bytes(HEAD)));
    }

    @Test
    @DisplayName("empty lines without end are refused with 400")
    void emptyLinesWithoutEndAreRefused() {
        String lines = "\r\n".repeat(Requests.MOST_BYTES);

        assertEquals(400, Requests.refused(lines));
        assertEquals(400, refused(new HeadReader(3, 9), Requests.bytes(lines)));
    }

    @Test
    @DisplayName("a part of a head that is shorter than the limit waits for more")
    void partOfAHeadWaitsForMore() throws MalformedRequestException {
        byte[] bytes = Requests.bytes(HEAD);

        assertNull(new HeadReader(bytes.length, 2).read(bytes, 0, bytes.length - 1));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "65536,1", "1,0"})
    void limitsOutOfRangeAreRefused(int bytes, int fields) {
        assertThrows(IllegalArgumentException.class, () -> new HeadReader(bytes, fields));
    }

    @Test
    void headOfTheLargestLimitIsRead() throws MalformedRequestException {
        String start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        String text = start + "y".repeat(HeadReader.MOST_BYTES - start.length() - 4) + "\r\n\r\n";
        byte[] bytes = Requests.bytes(text);

        HttpHead head = new HeadReader(HeadReader.MOST_BYTES, 2).read(bytes, 0, bytes.length);

        assertNotNull(head);
        assertEquals(text.strip().substring(start.length()), head.text(head.value(1)));
    }

    private static int refused(HeadReader reader, byte[] bytes) {
        return assertThrows(
                        MalformedRequestException.class, () -> reader.read(bytes, 0, bytes.length))
                .status();
    }
}
