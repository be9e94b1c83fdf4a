package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Which heads are plain; \n stands for CR LF in the lines here. */
class PlainHeadTest {
    private static final ClientConnection ENDS =
            new ClientConnection(InetAddress.getLoopbackAddress(), 1, "127.0.0.1", 2, false);

    private static ByteBuffer octets(String text) {
        byte[] octets = text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocateDirect(octets.length).put(octets).flip();
    }

    private static @Nullable PlainHead read(String text) {
        return PlainHead.read(octets(text), ENDS);
    }

    private static PlainHead plain(String text) {
        return Objects.requireNonNull(read(text));
    }

    @Test
    void aPlainRequestIsReadToItsLastField() {
        String text =
                "POST /osp/x?a=%20/../ HTTP/1.1\nHost: a:1\nX:\t a b \t\nX:\nContent-Length: 3\n\n";
        ByteBuffer source = octets(text + "abc");

        PlainHead read = PlainHead.read(source, ENDS);

        assertNotNull(read);
        assertEquals(0, source.position());
        assertEquals(source.limit() - 3, read.length());
        RequestHead head = read.head();
        assertEquals("POST", head.method());
        assertEquals("/osp/x", head.target().path());
        assertEquals("a=%20/../", head.target().query());
        assertEquals("HTTP/1.1", head.protocol());
        assertEquals(new Authority("a", 1), head.authority());
        assertEquals(List.of("a b", ""), head.values("x"));
        assertEquals(3, head.bodyLength());
        assertEquals(ENDS, head.connection());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: a\n\n",
                "PATCH / HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.0\n\n",
                "POST / HTTP/1.0\nHost: a\nConnection: Keep-Alive\nContent-length: 3\n\n",
                "GET /a-b_c~d!$&'()*+,=:@ HTTP/1.1\nHost: [::1]:80\nConnection: close\n\n",
                "DELETE /a HTTP/1.1\nhost: a\nContent-Length: 0\n\n"
            })
    void plainHeads(String text) {
        assertNotNull(read(text), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1\nHost: a\n",
                "\nGET / HTTP/1.1\nHost: a\n\n",
                "\n\n",
                "GET\n\n",
                "GET /\n\n",
                "GET  / HTTP/1.1\nHost: a\n\n",
                "GET / a HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1 \nHost: a\n\n",
                "GET\t/ HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/0.9\nHost: a\n\n",
                "GET / HTTP/1.2\nHost: a\n\n",
                "POST / HTTP/1.0\nTransfer-Encoding: chunked\n\n",
                "PRI * HTTP/2.0\n\n",
                "OPTIONS * HTTP/1.1\nHost: a\n\n",
                "CONNECT /a HTTP/1.1\nHost: a\n\n",
                "TRACE / HTTP/1.1\nHost: a\n\n",
                "GET http://a/ HTTP/1.1\nHost: a\n\n",
                "GET /%41 HTTP/1.1\nHost: a\n\n",
                "GET /a;b HTTP/1.1\nHost: a\n\n",
                "GET /a//b HTTP/1.1\nHost: a\n\n",
                "GET /a/../b HTTP/1.1\nHost: a\n\n",
                "GET /a\\b HTTP/1.1\nHost: a\n\n",
                "GET /a#b HTTP/1.1\nHost: a\n\n",
                "GET /\u00e9 HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1\n\n",
                "GET / HTTP/1.1\nHost: a\nHost: a\n\n",
                "GET / HTTP/1.1\nHost: a b\n\n",
                "GET / HTTP/1.1\nHost : a\n\n",
                "GET / HTTP/1.1\nHost: a\n X: folded\n\n",
                "GET / HTTP/1.1\nHost: a\nNoColon\n\n",
                "GET / HTTP/1.1\nHost: a\nNoColon\nX: a\n\n",
                "GET / HTTP/1.1\nHost: a\n: a\n\n",
                "GET / HTTP/1.1\nHost: a\nX: a\u0000b\n\n",
                "GET / HTTP/1.1\nHost: a\nX: a\rb\n\n",
                "POST / HTTP/1.1\nHost: a\nContent-Length: 1\nContent-Length: 1\n\n",
                "POST / HTTP/1.1\nHost: a\nContent-Length: +1\n\n",
                "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n",
                "POST / HTTP/1.1\nHost: a\nExpect: 100-continue, x\nContent-Length: 1\n\n",
                "POST / HTTP/1.1\nHost: a\nExpect: 100-continue\nExpect: 100-continue\n\n",
                "POST / HTTP/1.1\nHost: a\nExpect: \n\n",
                "POST / HTTP/1.0\nHost: a\nExpect: 100-continue\nContent-Length: 1\n\n",
                "GET / HTTP/1.1\nHost: a\nConnection: Upgrade\nUPGRADE: h2c\n\n",
                "GET / HTTP/1.1\nHost: a\nHTTP2-Settings: \n\n",
                "GET / HTTP/1.1\nHost: a\nContent-Length: 1\n\n",
                "HEAD / HTTP/1.1\nHost: a\nContent-Length: 1\n\n"
            })
    void otherHeads(String text) {
        assertNull(read(text), text);
    }

    @Test
    void aHeadThatDiffersInItsTargetKeepsItsFields() {
        PlainHead head = plain("POST /a HTTP/1.1\nHost: a\nContent-Length: 2\n\n");

        String other = "POST /longer/b?c HTTP/1.1\nHost: a\nContent-Length: 2\n\n";
        PlainHead like = Objects.requireNonNull(head.withTargetOf(octets(other + "ab")));

        assertEquals("/longer/b?c", like.head().target().raw());
        assertSame(head.head().fields(), like.head().fields());
        assertEquals(octets(other).remaining(), like.length());
        assertTrue(like.isAtStartOf(octets(other)));
        assertNotNull(like.withTargetOf(octets(other.replace("/longer/b?c", "/"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /b HTTP/1.1\nHost: a\nContent-Length: 3\n\n",
                "POST /b HTTP/1.0\nHost: a\nContent-Length: 2\n\n",
                "PUTT /b HTTP/1.1\nHost: a\nContent-Length: 2\n\n",
                "POST /b HTTP/1.1\nHost: a\nContent-Length: 2\n",
                "POST /b b HTTP/1.1\nHost: a\nContent-Length: 2\n\n",
                "POST /b\n\n HTTP/1.1\nHost: a\nContent-Length: 2\n\n",
                "POST  HTTP/1.1\nHost: a\nContent-Length: 2\n\n",
                "POST /%41 HTTP/1.1\nHost: a\nContent-Length: 2\n\n",
                "POST /b#c HTTP/1.1\nHost: a\nContent-Length: 2\n\n",
                "POST http://a/b HTTP/1.1\nHost: a\nContent-Length: 2\n\n",
                "POST /b",
                ""
            })
    void otherHeadsAreReadAnew(String text) {
        PlainHead head = plain("POST /a HTTP/1.1\nHost: a\nContent-Length: 2\n\n");

        assertNull(head.withTargetOf(octets(text)), text);
    }

    @Test
    void aClientMayExpectToBeToldToGoOn() {
        String rest = "\nContent-Length: 1\n\n";

        assertFalse(plain("POST / HTTP/1.1\nHost: a" + rest).expectsContinue());
        assertTrue(
                plain("POST / HTTP/1.1\nHost: a\nexpect: 100-Continue" + rest).expectsContinue());
    }

    @Test
    void aPartOfAHeadIsABegunOneIfItMayBePlain() {
        String whole = "GET / HTTP/1.1\nHost: a\n\n";
        int length = octets(whole).remaining();
        for (int i = 1; i < length; i++) {
            assertTrue(PlainHead.isBegun(octets(whole).limit(i)), "" + i);
        }
        assertFalse(PlainHead.isBegun(octets(whole)));
        assertFalse(PlainHead.isBegun(octets("\nGET / HTTP/1.1")));
        assertFalse(PlainHead.isBegun(octets("GET / HTTP/1.1\n" + "a".repeat(8192))));
        for (String other : List.of("\u0016\u0003\u0001", "GET / HTTP/1.1\nHost", "GET\rHost")) {
            byte[] octets = other.getBytes(StandardCharsets.ISO_8859_1);
            assertFalse(PlainHead.isBegun(ByteBuffer.wrap(octets)), other);
        }
    }

    @Test
    void bareLineFeedsEndNothing() {
        byte[] octets = "GET / HTTP/1.1\nHost: a\n\n".getBytes(StandardCharsets.ISO_8859_1);

        assertNull(PlainHead.read(ByteBuffer.wrap(octets), ENDS));
    }

    @Test
    void aLongHeadAndOneOfManyFieldsAreNotPlain() {
        String start = "GET / HTTP/1.1\nHost: a\n";

        assertNotNull(read(start + "X: a\n".repeat(63) + "\n"));
        assertNull(read(start + "X: a\n".repeat(64) + "\n"));
        assertNotNull(read(start + "X: " + "a".repeat(8000) + "\n\n"));
        assertNull(read(start + "X: " + "a".repeat(8192) + "\n\n"));
    }

    @Test
    void theSameOctetsAreTheSameHead() {
        String text = "POST /a HTTP/1.1\nHost: a\nContent-Length: 2\n\n";
        PlainHead head = plain(text);

        assertTrue(head.isAtStartOf(octets(text)));
        assertTrue(head.isAtStartOf(octets(text + "ab")));
        assertFalse(head.isAtStartOf(octets(text.substring(0, text.length() - 1))));
        assertFalse(head.isAtStartOf(octets(text.replace("/a", "/b"))));
        assertFalse(head.isAtStartOf(octets(text.replace(": 2", ": 3") + "ab")));
        assertFalse(head.isAtStartOf(octets("")));
    }
}
