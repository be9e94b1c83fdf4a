package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.http.HttpServletRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LastAnswerTest {
    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, '', false",
        "HTTP/1.1, close, true",
        "HTTP/1.1, 'x, Close', true",
        "HTTP/1.1, keep-alive, false",
        "HTTP/1.0, '', true",
        "HTTP/1.0, keep-alive, false",
        "HTTP/1.0, 'keep-alive, close', true",
    })
    void clientMayAskForTheEnd(String protocol, String connection, boolean last) {
        var request = mock(HttpServletRequest.class);
        FakeRequest fake = FakeRequest.of(request, "GET", "/", "");
        if (!connection.isEmpty()) {
            fake.with("Connection", connection);
        }
        when(request.getProtocol()).thenReturn(protocol);

        assertEquals(last, LastAnswer.isAskedFor(request));
    }

    @Test
    void upgradeThatIsNotMadeEndsTheConnection() {
        var request = mock(HttpServletRequest.class);
        FakeRequest.of(request, "GET", "/", "").with("Upgrade", "foo");

        assertTrue(LastAnswer.isAskedFor(request));
    }

    @Test
    void someStatusesEndTheConnection() {
        assertTrue(LastAnswer.isClosing(503));
        assertFalse(LastAnswer.isClosing(404));
    }
}
