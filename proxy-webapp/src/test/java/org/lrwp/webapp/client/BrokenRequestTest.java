package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

class BrokenRequestTest {
    @ParameterizedTest
    @CsvSource({
        "'GET /a HTTP/1.1|Host: a|', GET, /a",
        "'|GET /a', GET, /a",
        "GET, GET, -",
        "'', -, -",
        "'GET  /a', GET, ''",
    })
    void aBrokenRequestIsToldByItsFirstWords(String text, String method, String target) {
        byte[] bytes = text.replace("|", "\r\n").getBytes(StandardCharsets.ISO_8859_1);

        BrokenRequest read = BrokenRequest.of("::1", ByteBuffer.wrap(bytes));

        assertEquals(method, read.method());
        assertEquals(target, read.target());
    }

    @ParameterizedTest
    @CsvSource({
        "\u00ff3.0\u00ffosp\u00ff\u00ff, true",
        "osp\u00ff\u00ff, true",
        "'\u0001\u0085\u00ffSMBr', false",
        "GET /\u00ff, false",
    })
    void whatBeginsAsAStartupStringIsOfAPeer(String text, boolean isPeer) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);

        assertEquals(isPeer, BrokenRequest.of("::1", ByteBuffer.wrap(bytes)).isOfPeer());
    }
}
