package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("RFC 9112 section 9, RFC 9110 section 7.6.1: Connection")
class ConnectionTest {
    private static boolean lasts(int minorVersion, String lines) throws MalformedRequestException {
        return Requests.head("GET / HTTP/1." + minorVersion + "\r\nHost: a\r\n" + lines + "\r\n")
                .isLasting();
    }

    @Test
    @DisplayName("9.3: HTTP/1.1 lasts, HTTP/1.0 does not")
    void versionSaysWhetherAConnectionLasts() throws MalformedRequestException {
        assertTrue(lasts(1, ""));
        assertTrue(lasts(7, ""));
        assertFalse(lasts(0, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: close\r\n",
                "connection: CLOSE\r\n",
                "Connection: x, close\r\n",
                "Connection: close,x\r\n",
                "Connection:,\t,close ,\r\n",
                "Connection: keep-alive, close\r\n",
                "Connection: close\r\nConnection: keep-alive\r\n",
                "Connection: x\r\nConnection: close\r\n"
            })
    @DisplayName("9.3, RFC 9110 5.6.1.2: close ends a connection, wherever in the lists it stands")
    void closeEndsTheConnection(String lines) throws MalformedRequestException {
        assertFalse(lasts(1, lines));
        assertFalse(lasts(0, lines));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: closed\r\n",
                "Connection:\r\n",
                "X: close\r\n",
                "Connection: \"close\"\r\n"
            })
    @DisplayName("RFC 9110 7.6.1: other options do not")
    void otherOptionsEndNothing(String lines) throws MalformedRequestException {
        assertTrue(lasts(1, lines));
    }

    @Test
    @DisplayName("9.3, C.2.2: HTTP/1.0 lasts when it asks for it; Proxy-Connection does not ask")
    void keepAliveMakesHttp10Last() throws MalformedRequestException {
        assertTrue(lasts(0, "Connection: Keep-Alive\r\n"));
        assertTrue(lasts(0, "Connection: x , keep-alive\r\n"));
        assertFalse(lasts(0, "Proxy-Connection: keep-alive\r\n"));
        assertFalse(lasts(0, "Keep-Alive: timeout=5\r\n"));
    }

    @Test
    @DisplayName("9.3.2: requests that follow without a wait are read one after another")
    void pipelinedRequestsAreReadInTheirOrder() {
        Conversation all =
                Conversation.read(
                        Requests.bytes(
                                "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                                        + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n\r\n"
                                        + "POST /3 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
                                        + "Host: a\r\n\r\n1\r\nx\r\n0\r\n\r\n"
                                        + Requests.NEXT));

        assertEquals(
                "/1 /2 /3 /next",
                String.join(" ", all.messages().stream().map(Message::target).toList()));
        assertEquals(Conversation.MORE, all.end());
    }
}
