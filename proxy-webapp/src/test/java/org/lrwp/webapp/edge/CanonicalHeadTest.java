package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.HeadReader;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

class CanonicalHeadTest {
    private static String written(String head, boolean upgrade) throws Exception {
        byte[] bytes = (head.replace("|", "\r\n") + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        InetAddress here = InetAddress.getLoopbackAddress();
        var ends = new ClientConnection(here, 1, here.getHostAddress(), 2, false);
        var read = new HeadReader(8192, 64).read(bytes, 0, bytes.length);
        RequestHead checked = RequestHead.of(Objects.requireNonNull(read), ends);
        String text =
                StandardCharsets.ISO_8859_1
                        .decode(CanonicalHead.write(checked, upgrade, new HeadText()).buffer())
                        .toString();
        return text.substring(0, text.length() - 2).replace("\r\n", "|");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /a HTTP/1.1|Host:a|X:  b |, GET /a HTTP/1.1|Host: a|X: b|",
        "GET http://b:81/a?q HTTP/1.1|Host: a|, GET /a?q HTTP/1.1|Host: b:81|",
        "GET http://b HTTP/1.1|Host: a|, GET / HTTP/1.1|Host: b|",
        "GET http://b?q HTTP/1.1|Host: a|, GET /?q HTTP/1.1|Host: b|",
        "GET /a HTTP/1.1|Host: a|Connection: x|, GET /a HTTP/1.1|Host: a|",
        "GET /a HTTP/1.1|Host: a|Connection: Close|, GET /a HTTP/1.1|Host: a|Connection: close|",
        "GET /a HTTP/1.0|, GET /a HTTP/1.0|Connection: close|",
        "GET /a HTTP/1.0|Connection: keep-alive|, GET /a HTTP/1.0|Connection: keep-alive|",
        "PUT /a HTTP/1.1|Content-Length: 0007|Host: a|, PUT /a HTTP/1.1|Host: a|Content-Length: 7|",
        "PUT /a HTTP/1.1|Content-Length: 0|Host: a|, PUT /a HTTP/1.1|Host: a|Content-Length: 0|",
        "PUT /a HTTP/1.5|transfer-encoding: Chunked|Host: a|,"
                + " PUT /a HTTP/1.1|Host: a|Transfer-Encoding: chunked|",
        "GET /a HTTP/1.1|Host: a|Connection: Upgrade|Upgrade: h2c|HTTP2-Settings: x|,"
                + " GET /a HTTP/1.1|Host: a|",
    })
    void aHeadIsWrittenInOneForm(String head, String canonical) throws Exception {
        assertEquals(canonical, written(head, false));
    }

    @ParameterizedTest
    @CsvSource({"'GET /a HTTP/1.1|Host: a|Connection: Upgrade|Upgrade: foo|'"})
    void aWishForAnotherProtocolIsLeftWhereItIsFollowed(String head) throws Exception {
        assertEquals(head, written(head, true));
    }
}
