package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;

import java.net.InetAddress;

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
    void clientMayAskForTheEnd(String protocol, String connection, boolean last)
            throws BadRequestException {
        var draft = draft(protocol);
        if (!connection.isEmpty()) {
            draft.field("Connection", connection);
        }

        assertEquals(last, LastAnswer.isEnding(draft.check(), false));
    }

    @Test
    void upgradeThatIsNotMadeEndsTheConnection() throws BadRequestException {
        var draft = draft("HTTP/1.1").field("Upgrade", "foo");

        assertTrue(LastAnswer.isEnding(draft.check(), false));
    }

    private static RequestHead.Draft draft(String protocol) throws BadRequestException {
        InetAddress here = InetAddress.getLoopbackAddress();
        var ends = new ClientConnection(here, 1, here.getHostAddress(), 2, false);
        return new RequestHead.Draft("GET", "/", protocol, ends).field("Host", "localhost");
    }

    @Test
    void someStatusesEndTheConnection() {
        assertTrue(LastAnswer.isClosing(503));
        assertFalse(LastAnswer.isClosing(404));
    }
}
