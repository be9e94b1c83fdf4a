package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("RFC 9112 section 3.2, RFC 9110 section 7.2: Host")
class HostTest {
    private static HttpHead host(String value) throws MalformedRequestException {
        return Requests.head("GET / HTTP/1.1\r\nHost:" + value + "\r\n\r\n");
    }

    @Test
    @DisplayName("3.2: HTTP/1.1 without Host is refused with 400")
    void requestWithoutHostIsRefused() {
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\n\r\n"));
        assertEquals(400, Requests.refused("GET http://a/ HTTP/1.1\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.2\r\n\r\n"));
    }

    @Test
    @DisplayName("3.2: HTTP/1.0 had no Host")
    void requestOfHttp10WithoutHostIsAccepted() throws MalformedRequestException {
        assertEquals(0, Requests.head("GET / HTTP/1.0\r\n\r\n").fields());
    }

    @Test
    @DisplayName("3.2: more than one Host is refused with 400, the same ones and HTTP/1.0 too")
    void secondHostIsRefused() {
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"));
        assertEquals(400, Requests.refused("GET http://a/ HTTP/1.1\r\nHost: a\r\nHost:\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " a",
                "a.example:8080",
                " a.example.",
                " a_b.example",
                " 127.0.0.1:65535",
                " [::]",
                " [::1]:80",
                " [1:2:3:4:5:6:7:8]",
                " [1::8]",
                " [1:2:3:4:5:6:7::]",
                " [::ffff:192.0.2.1]:8",
                " [1:2:3:4:5:6:1.2.3.4]",
                " [abcd:EF01::]",
                " a%2Db",
                " a:",
                " !$&'()*+,;=~",
                "",
                " "
            })
    @DisplayName("RFC 9110 7.2: host and port, or nothing where the target has no host")
    void hostIsAccepted(String value) throws MalformedRequestException {
        HttpHead head = host(value);

        assertEquals(value.strip(), head.text(head.value(head.find(KnownField.HOST))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a/b",
                "a?b",
                "a@b",
                "u:p@b",
                "a:b",
                "a:80:80",
                "a:65536",
                "a:99999999999",
                "a:-1",
                "a:+1",
                "a,b c",
                "a\\b",
                "a\"",
                "<a>",
                "a\u00e9",
                "a%",
                "a%4",
                "a%4g",
                "a%g4",
                "[",
                "[]",
                "[::1",
                "::1",
                "[::1]a",
                "[::1]:x",
                "[1]",
                "[1:2]",
                "[:1::]",
                "[1::2::3]",
                "[:::]",
                "[1:::2]",
                "[1:2:3:4:5:6:7:8:9]",
                "[1:2:3:4:5:6:7:8::]",
                "[12345::]",
                "[g::]",
                "[1:]",
                "[::1:]",
                "[::1.2.3]",
                "[::1.2.3.4.5]",
                "[::1.2.3.256]",
                "[::1.2.3.04]",
                "[::1.2.3.1000]",
                "[::1.2.3.]",
                "[::1.2.3.4.]",
                "[1.2.3.4::]",
                "[::1..2.3]",
                "[v1.a]",
                "[fe80::1%25en0]",
                "a\tb",
                ":",
                ":80",
                "a#"
            })
    @DisplayName("3.2: an invalid value is refused with 400, in HTTP/1.0 too")
    void invalidHostIsRefused(String value) {
        assertEquals(400, Requests.refused("GET / HTTP/1.1\r\nHost: " + value + "\r\n\r\n"));
        assertEquals(400, Requests.refused("GET / HTTP/1.0\r\nHost: " + value + "\r\n\r\n"));
    }

    @Test
    @DisplayName("3.2.2: Host beside an absolute target is left to whoever routes the request")
    void hostBesideAnAbsoluteTargetMayDiffer() throws MalformedRequestException {
        HttpHead head = Requests.head("GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n");

        assertEquals("http://a/", head.text(head.target()));
        assertEquals("b", head.text(head.value(0)));
    }

    @Test
    @DisplayName("RFC 9110 5.3: Host need not be the first field")
    void hostMayBeTheLastField() throws MalformedRequestException {
        HttpHead head = Requests.head("GET / HTTP/1.1\r\nX: y\r\nHost: a\r\n\r\n");

        assertEquals(1, head.find(KnownField.HOST));
    }
}
