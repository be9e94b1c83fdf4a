package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;

/** Heads that go over to another protocol: docs/protocol.md section 15.12. */
class CgiUpgradeHeadTest {
    private static final String UPGRADE =
            """
            Status: 101 Switching Protocols
            Upgrade: websocket
            Connection: Upgrade, X-Hop
            X-Hop: 1
            Content-Length: 0
            Sec-WebSocket-Accept: abc

            """;

    private static CgiHead head(String text, boolean upgrades) throws MalformedFrameException {
        var parser = new CgiHeadParser(1000, upgrades);
        ByteBuffer in = Cuts.buffer(text);
        assertEquals(CgiHeadParser.State.HEAD, parser.feed(in));
        return parser.head();
    }

    @Test
    void protocolAndFieldsOfItsOwnStayAndLengthAndHopByHopFieldsGo() throws Exception {
        CgiHead head = head(UPGRADE, true);

        assertTrue(head.isUpgrade());
        assertEquals("Switching Protocols", head.reason());
        assertNull(head.contentLength());
        assertEquals(
                List.of(
                        new HeaderField("Upgrade", "websocket"),
                        new HeaderField("Sec-WebSocket-Accept", "abc")),
                head.fields());
    }

    @Test
    void bytesBehindTheHeadAreTheTunnels() throws Exception {
        var parser = new CgiHeadParser(1000, true);
        ByteBuffer in = Cuts.buffer(UPGRADE + "first");

        parser.feed(in);

        assertEquals("first", Cuts.text(in));
    }

    @Test
    void whereNoUpgradeIsPossibleTheStatusIsAFault() {
        assertThrows(MalformedFrameException.class, () -> head(UPGRADE, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "102", "103 Early Hints", "199", "099"})
    void otherInterimStatusIsAFaultStill(String status) {
        assertThrows(MalformedFrameException.class, () -> head("Status: " + status + "\n\n", true));
    }

    @Test
    void upgradeOfAnyOtherStatusIsDropped() throws Exception {
        CgiHead head = head("Status: 200\nContent-Type: a/b\nUpgrade: websocket\n\n", true);

        assertEquals(List.of(new HeaderField("Content-Type", "a/b")), head.fields());
    }
}
