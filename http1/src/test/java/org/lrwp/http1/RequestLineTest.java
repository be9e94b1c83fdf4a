package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("RFC 9112 section 3: the first line")
class RequestLineTest {
    private static HttpHead line(String line) throws MalformedRequestException {
        return Requests.head(line + "\r\nHost: a\r\n\r\n");
    }

    private static int refusedLine(String line) {
        return Requests.refused(line + "\r\nHost: a\r\n\r\n");
    }

    @Test
    @DisplayName("3: one space stands between the parts; other white space is refused")
    void otherWhiteSpaceThanOneSpaceIsRefused() {
        assertEquals(400, refusedLine("GET  / HTTP/1.1"));
        assertEquals(400, refusedLine("GET /  HTTP/1.1"));
        assertEquals(400, refusedLine("GET\t/ HTTP/1.1"));
        assertEquals(400, refusedLine("GET /\tHTTP/1.1"));
        assertEquals(400, refusedLine("GET / HTTP/1.1 "));
        assertEquals(400, refusedLine("GET /\u000b HTTP/1.1"));
        assertEquals(400, refusedLine("GET /\u000c HTTP/1.1"));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("3.1: methods that are known")
    void knownMethodIsFound(KnownMethod method) throws MalformedRequestException {
        String target = method == KnownMethod.CONNECT ? "a:1" : "/";

        assertEquals(method, line(method + " " + target + " HTTP/1.1").method());
    }

    @Test
    @DisplayName("3.1: methods have case")
    void methodInLowerCaseIsAnother() throws MalformedRequestException {
        HttpHead head = line("get / HTTP/1.1");

        assertNull(head.method());
        assertEquals("get", head.methodText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"M-SEARCH", "PROPFIND", "!#$%&'*+-.^_`|~09AZaz", "GETT", "PUSH"})
    @DisplayName("3.1: any token is a method")
    void unknownMethodIsAccepted(String method) throws MalformedRequestException {
        HttpHead head = line(method + " / HTTP/1.1");

        assertNull(head.method());
        assertEquals(method, head.methodText());
    }

    @Test
    @DisplayName("3.1: a client of TLS is told so")
    void firstBytesOfTlsAreNamed() {
        byte[] hello = {22, 3, 1, 2, 0, 1};
        var refused =
                assertThrows(
                        MalformedRequestException.class,
                        () -> new HeadReader(100, 1).read(hello, 0, hello.length));
        assertEquals("TLS on a port that speaks plain HTTP", refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G(T", "G\u0000T", "G\u00e9T", "G:T", "\"GET\"", "G/T", "G@T"})
    @DisplayName("3.1: a method is a token")
    void methodThatIsNoTokenIsRefused(String method) {
        assertEquals(400, refusedLine(method + " / HTTP/1.1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a/b?c=d&e",
                "//a",
                "/a?b?c",
                "/%41%zz",
                "/a;b=c,d",
                "/?",
                "/a|b\"{}\\^`<>"
            })
    @DisplayName("3.2.1: a path and a query, as they were sent")
    void pathIsReadAsItWasSent(String target) throws MalformedRequestException {
        HttpHead head = line("GET " + target + " HTTP/1.1");

        assertEquals(target, head.text(head.target()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a",
                "http://a/",
                "HTTP://A:80/b?c",
                "https://a?b",
                "https://[::1]:8/",
                "http://a.b-c:/"
            })
    @DisplayName("3.2.2: a server accepts an absolute target")
    void absoluteTargetIsAccepted(String target) throws MalformedRequestException {
        HttpHead head = line("GET " + target + " HTTP/1.1");

        assertEquals(target, head.text(head.target()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http:///a",
                "http://",
                "http:/a",
                "http:a",
                "http://u@a/",
                "http://u:p@a/",
                "http://a:b/",
                "http://a:65536/",
                "http://:80/",
                "http://a\\b/",
                "http://[::1/",
                "ftp://a/",
                "urn:a",
                "a",
                "a:80",
                "?a",
                "%2f"
            })
    @DisplayName("3.2: a target of no form that the method takes")
    void targetOfNoFormIsRefused(String target) {
        assertEquals(400, refusedLine("GET " + target + " HTTP/1.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:80", "a.b:443", "[::1]:443", "1.2.3.4:0"})
    @DisplayName("3.2.3: CONNECT takes host and port")
    void connectTakesHostAndPort(String target) throws MalformedRequestException {
        HttpHead head = line("CONNECT " + target + " HTTP/1.1");

        assertEquals(target, head.text(head.target()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a:",
                ":80",
                "a:b",
                "a:65536",
                "a:-1",
                "/",
                "http://a:80/",
                "*",
                "[:1]:8"
            })
    @DisplayName("RFC 9110 9.3.6: CONNECT without a port, or with an invalid one, is refused")
    void connectToSomethingElseIsRefused(String target) {
        assertEquals(400, refusedLine("CONNECT " + target + " HTTP/1.1"));
    }

    @Test
    @DisplayName("3.2.4: OPTIONS takes an asterisk, and no other method does")
    void asteriskIsForOptionsOnly() throws MalformedRequestException {
        HttpHead head = line("OPTIONS * HTTP/1.1");

        assertEquals("*", head.text(head.target()));
        assertEquals("/", line("OPTIONS / HTTP/1.1").text(head.target()));
        assertEquals(400, refusedLine("OPTIONS ** HTTP/1.1"));
        assertEquals(400, refusedLine("OPTIONS */ HTTP/1.1"));
        assertEquals(400, refusedLine("GET * HTTP/1.1"));
        assertEquals(400, refusedLine("SEARCH * HTTP/1.1"));
    }

    @Test
    @DisplayName("3.2: white space, controls, fragments and bytes above 127 must be encoded")
    void characterThatMustBeEncodedIsRefused() {
        for (int c = 0; c < 256; c++) {
            if (c <= ' ' || c >= 0x7F || c == '#') {
                assertEquals(400, refusedLine("GET /a" + (char) c + "b HTTP/1.1"), "byte " + c);
            }
        }
    }

    @Test
    @DisplayName("3: a line without a target")
    void lineWithoutTargetIsRefused() {
        assertEquals(400, refusedLine("GET HTTP/1.1"));
        assertEquals(400, refusedLine("GET  HTTP/1.1"));
        assertEquals(400, refusedLine("GET"));
    }

    @Test
    @DisplayName("3: a target that is too long is refused with 414")
    void targetAboveTheLimitIsRefusedWith414() {
        assertEquals(414, Requests.refused("GET /" + "a".repeat(Requests.MOST_BYTES)));
        assertEquals(414, Requests.refused("GET /" + "a".repeat(Requests.MOST_BYTES - 8) + " HT"));
    }

    @Test
    @DisplayName("3: a method longer than any that is known is refused with 501")
    void methodAboveTheLimitIsRefusedWith501() {
        assertEquals(501, Requests.refused("A".repeat(Requests.MOST_BYTES)));
    }

    @Test
    @DisplayName("3: a line of 8000 bytes is read")
    void lineOf8000BytesIsRead() throws MalformedRequestException {
        HttpHead head = line("GET /" + "a".repeat(7986) + " HTTP/1.1");

        assertEquals(7987, head.text(head.target()).length());
    }
}
