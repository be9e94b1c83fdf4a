package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What an env block says of a request. */
final class EnvironmentHeadTest {
    @ParameterizedTest
    @CsvSource({
        "If-None-Match, HTTP_IF_NONE_MATCH",
        "if-none-match, HTTP_IF_NONE_MATCH",
        "X_Y, HTTP_X_Y",
        "X.1~z, HTTP_X_1_Z",
        "Content-Type, CONTENT_TYPE",
        "CONTENT-LENGTH, CONTENT_LENGTH",
        "Content-Type, HTTP_CONTENT_TYPE",
    })
    void aHeaderIsFoundInAnyCase(String name, String variable) {
        assertEquals("v", RequestHead.of(Map.of(variable, "v")).header(name));
    }

    @Test
    void aHeaderThatWasNotSentIsNull() {
        RequestHead head = RequestHead.of(Map.of("CONTENT_TYPE", "", "X_Y", "v", "HTTP_A", "v"));

        assertNull(head.header("Content-Type"));
        assertNull(head.header("Content-Length"));
        assertNull(head.header("X-Y"));
        assertNull(head.header("\u00c4"));
        assertNull(head.header(""));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "12, 12", "'', -1", "1x, -1"})
    void theLengthOfTheBodyIsThatOfTheEnvBlock(String said, long length) {
        assertEquals(length, RequestHead.of(Map.of("CONTENT_LENGTH", said)).bodyLength());
        assertEquals(-1, RequestHead.of(Map.of()).bodyLength());
    }

    @Test
    void aRequestCanBeMadeWithoutAProxy() throws Exception {
        RequestHead head =
                RequestHead.of(
                        Map.of(
                                "REQUEST_METHOD", "PUT",
                                "PATH_INFO", "/a",
                                "QUERY_STRING", "b=c",
                                "CONTENT_LENGTH", "4"));
        byte[] bytes = "body".getBytes(StandardCharsets.ISO_8859_1);

        PeerRequest request = PeerRequest.of(head, new ByteArrayInputStream(bytes));

        assertEquals("PUT", request.method());
        assertEquals("/a", request.pathInfo());
        assertEquals("b=c", request.query());
        assertEquals(4, request.bodyLength());
        assertEquals(
                "body", new String(request.body().readAllBytes(), StandardCharsets.ISO_8859_1));
        assertFalse(request.cancelled());
    }
}
