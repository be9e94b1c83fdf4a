package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

class Http2PrefaceTest {
    @ParameterizedTest
    @CsvSource({
        "P, true, false",
        "PRI * HTTP/2.0, true, false",
        "PRI * HTTP/2.0|, true, false",
        "PRI * HTTP/2.0||SM|, true, false",
        "PRI * HTTP/2.0||XX||, false, false",
        "PRI * HTTP/2.0||SM||, true, true",
        "PRI * HTTP/2.0||SM||x, true, true",
        "POST /, false, false",
        "PRI * HTTP/1.1|, false, false",
    })
    void itIsKnownByAllOfIt(String text, boolean begun, boolean whole) {
        byte[] bytes = text.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII);

        assertEquals(begun, Http2Preface.isBegun(ByteBuffer.wrap(bytes)));
        assertEquals(whole, Http2Preface.isIn(ByteBuffer.wrap(bytes)));
    }
}
