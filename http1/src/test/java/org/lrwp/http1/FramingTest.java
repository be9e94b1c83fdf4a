package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;

@DisplayName("RFC 9112 section 6, RFC 9110 section 8.6: how the end of a body is found")
class FramingTest {
    private static final String CODING = "Transfer-Encoding: ";

    @Test
    @DisplayName("6.3, 7: without both fields there is no body, whatever the method")
    void requestWithoutFramingHasNoBody() throws MalformedRequestException {
        HttpHead head = Requests.post("");

        assertEquals(Framing.NONE, head.framing());
        assertEquals(0, head.bodyLength());
        assertTrue(BodyReader.of(head, 1).isWhole());
    }

    @Test
    @DisplayName("6.3, 6: Content-Length is the length of the body, for GET too")
    void contentLengthIsTheLength() throws MalformedRequestException {
        HttpHead head = Requests.withFields("content-LENGTH: \t5 \r\n");

        assertEquals(Framing.LENGTH, head.framing());
        assertEquals(5, head.bodyLength());
    }

    @Test
    @DisplayName("6.3, 6: a body ends where its length says, and not before")
    void bodyEndsAtItsLength() throws MalformedRequestException {
        BodyReader body = BodyReader.of(Requests.post("Content-Length: 5\r\n"), 1);
        ByteBuffer source = ByteBuffer.wrap(Requests.bytes("abcdeGET"));

        assertEquals(5, body.missing());
        source.limit(2);
        assertEquals(2, requireNonNull(body.next(source)).remaining());
        assertNull(body.next(source));
        assertFalse(body.isWhole());
        assertEquals(3, body.missing());
        source.limit(8);
        assertEquals(3, requireNonNull(body.next(source)).remaining());
        assertTrue(body.isWhole());
        assertNull(body.next(source));
        assertEquals(5, source.position());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00", "000000000000000000"})
    @DisplayName("RFC 9110 8.6: a length of 0 is a body that is empty")
    void lengthOfZeroIsNoBody(String value) throws MalformedRequestException {
        HttpHead head = Requests.post("Content-Length: " + value + "\r\n");

        assertEquals(Framing.NONE, head.framing());
        assertEquals(0, head.bodyLength());
    }

    @Test
    @DisplayName("RFC 9110 8.6: leading zeros are digits, and no overflow happens")
    void largeLengthIsReadWithoutOverflow() throws MalformedRequestException {
        assertEquals(7, Requests.post("Content-Length: 0007\r\n").bodyLength());
        assertEquals(
                999_999_999_999_999_999L,
                Requests.post("Content-Length: 999999999999999999\r\n").bodyLength());
        assertEquals(400, Requests.refusedFields("Content-Length: 1000000000000000000\r\n"));
        assertEquals(400, Requests.refusedFields("Content-Length: 18446744073709551621\r\n"));
        assertEquals(400, Requests.refusedFields("Content-Length: " + "9".repeat(300) + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "+5", "-5", "-0", "5,5", "5, 5", "5,6", "5 5", "0x5", "5.0", "5e1", "5;", "a",
                "5a", "\"5\"", "5\u00a0", "\u0665", "1_0", ",5", "5,", "/", ":"
            })
    @DisplayName("6.3, 5: an invalid length is refused with 400")
    void invalidLengthIsRefused(String value) {
        assertEquals(400, Requests.refusedFields("Content-Length: " + value + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "6"})
    @DisplayName("6.3, 5: a second length is refused with 400, the same one too")
    void secondLengthIsRefused(String value) {
        assertEquals(
                400,
                Requests.refusedFields("Content-Length: 5\r\nContent-Length: " + value + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chunked",
                "Chunked",
                "CHUNKED",
                " \tchunked\t ",
                ",chunked",
                "chunked,",
                ", , chunked ,"
            })
    @DisplayName("7, RFC 9110 5.6.1.2: chunked has no case; empty elements of a list are ignored")
    void chunkedIsFound(String value) throws MalformedRequestException {
        HttpHead head = Requests.post("Transfer-Encoding:" + value + "\r\n");

        assertEquals(Framing.CHUNKED, head.framing());
        assertEquals(-1, head.bodyLength());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "gzip",
                "identity",
                "chunked, gzip",
                "chunked, identity",
                "xchunked",
                "chunkedx",
                "chunked;q=1",
                "chunked x",
                "\"chunked\"",
                "chunked\u000b",
                "chunked, chunked",
                "gzip, chunked, chunked",
                "x;a=\"b, chunked\"",
                "chun ked",
                "\u00a0chunked",
                "cow"
            })
    @DisplayName("6.3, 4.3: chunked is not the last coding: refused with 400")
    void codingThatDoesNotEndWithChunkedIsRefused(String value) {
        assertEquals(400, Requests.refusedFields(CODING + value + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "identity,chunked", "x;a=b, chunked", "a,,b,chunked,"})
    @DisplayName("6.1: a coding that is not known is refused with 501")
    void otherCodingBeforeChunkedIsRefusedWith501(String value) {
        assertEquals(501, Requests.refusedFields(CODING + value + "\r\n"));
    }

    @Test
    @DisplayName("6.1: more than one line of codings is refused")
    void secondTransferEncodingIsRefused() {
        assertEquals(400, Requests.refusedFields(CODING + "chunked\r\n" + CODING + "chunked\r\n"));
        assertEquals(400, Requests.refusedFields(CODING + "chunked\r\n" + CODING + "gzip\r\n"));
        assertEquals(400, Requests.refusedFields(CODING + "gzip\r\n" + CODING + "chunked\r\n"));
        assertEquals(400, Requests.refusedFields(CODING + "chunked\r\n" + CODING + "\r\n"));
        assertEquals(400, Requests.refusedFields(CODING + "\r\n" + CODING + "chunked\r\n"));
    }

    @Test
    @DisplayName("6.3, 3: both ways to find the end are refused")
    void lengthBesideCodingIsRefused() {
        assertEquals(400, Requests.refusedFields(CODING + "chunked\r\nContent-Length: 0\r\n"));
        assertEquals(400, Requests.refusedFields("Content-Length: 5\r\n" + CODING + "chunked\r\n"));
    }

    @Test
    @DisplayName("6.1: HTTP/1.0 has no codings: its framing is faulty")
    void codingInHttp10IsRefused() {
        assertEquals(400, Requests.refused("POST / HTTP/1.0\r\n" + CODING + "chunked\r\n\r\n"));
        assertEquals(
                400,
                Requests.refused(
                        "POST / HTTP/1.0\r\n" + CODING + "chunked\r\nContent-Length: 1\r\n\r\n"));
    }

    @Test
    @DisplayName("7.4: TE does not say how the body comes")
    void transferCodingsThatAreWantedAreNoFraming() throws MalformedRequestException {
        assertEquals(Framing.NONE, Requests.withFields("TE: chunked\r\n").framing());
    }
}
