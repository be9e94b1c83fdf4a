package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

class HandshakeReplyParserTest {
    private final HandshakeReplyParser first = new HandshakeReplyParser(ProtocolVersion.LRWP_1);
    private final HandshakeReplyParser second = new HandshakeReplyParser(ProtocolVersion.LRWP_2);
    private final HandshakeReplyParser third = new HandshakeReplyParser(ProtocolVersion.LRWP_3);

    @Test
    void requestGluedToTheAcceptanceStaysInTheBuffer() throws Exception {
        ByteBuffer one = Cuts.buffer("OK000000001");
        ByteBuffer two = Cuts.buffer("OK\u00ff000000001");

        assertInstanceOf(HandshakeReply.Accepted.class, first.feed(one));
        assertInstanceOf(HandshakeReply.Accepted.class, second.feed(two));
        assertEquals("000000001", Cuts.text(one));
        assertEquals("000000001", Cuts.text(two));
    }

    @Test
    void refusalWithoutFrameEndsWithTheConnection() throws Exception {
        assertNull(first.feed(Cuts.buffer("ERROR: Unknown ")));
        assertNull(first.feed(Cuts.buffer("LRWP version")));
        assertEquals(
                new HandshakeReply.Refused("ERROR: Unknown LRWP version", false),
                first.endOfInput());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HTTP_REQUEST")
    void everyRefusalIsReadAsItsText(Refusal refusal) throws Exception {
        HandshakeReply one = first.feed(ByteBuffer.wrap(refusal.encode(ProtocolVersion.LRWP_1)));
        HandshakeReply two = second.feed(ByteBuffer.wrap(refusal.encode(ProtocolVersion.LRWP_2)));

        HandshakeReply three = third.feed(ByteBuffer.wrap(refusal.encode(ProtocolVersion.LRWP_3)));

        assertNull(one);
        assertEquals(new HandshakeReply.Refused(refusal.text(), false), first.endOfInput());
        var second =
                assertInstanceOf(
                        HandshakeReply.Refused.class, two == null ? this.second.endOfInput() : two);
        assertEquals(refusal.text(), second.text());
        assertEquals(two != null, second.framed());
        assertEquals(new HandshakeReply.Refused(refusal.text(), true), three);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void alertOfTlsIsToldInWords(ProtocolVersion version) throws MalformedFrameException {
        byte[] alert = {0x15, 3, 3, 0, 2, 2, 0x50};
        assertEquals(
                new HandshakeReply.Refused("this port speaks TLS", true),
                new HandshakeReplyParser(version).feed(ByteBuffer.wrap(alert)));
    }

    @Test
    void answerOfHttpSaysThatThisIsTheWrongPortWithoutAnEnd() throws Exception {
        String answer = "HTTP/1.1 400 Bad Request\r\n";
        for (HandshakeReplyParser parser : List.of(first, second, third)) {
            assertEquals(
                    new HandshakeReply.Refused("this is a port for HTTP, not for LRWP", true),
                    parser.feed(Cuts.buffer(answer)));
        }
    }

    @Test
    void refusalCutOffInMidFrameLosesItsFramingOnly() throws Exception {
        assertNull(second.feed(Cuts.buffer("REJECTED\u00ffERROR: Out of")));
        assertEquals(new HandshakeReply.Refused("ERROR: Out of", true), second.endOfInput());
    }

    @Test
    void emptyFramedRefusalIsARefusal() throws Exception {
        assertNull(second.feed(Cuts.buffer("REJECTED\u00ff")));
        assertEquals(new HandshakeReply.Refused("", true), second.feed(Cuts.buffer("\u00ff")));
    }

    @Test
    void bareAcknowledgementOfAnOldServerDoesNotAcceptTheThirdVersion() throws Exception {
        assertNull(third.feed(Cuts.buffer("OK")));
        assertEquals(new HandshakeReply.Refused("OK", false), third.endOfInput());
    }

    @Test
    void thirdVersionIsAcceptedByTheFramedAcknowledgementAndFramesStayInTheBuffer()
            throws Exception {
        ByteBuffer in = Cuts.buffer("OK\u00ff\0\0\0");

        assertEquals(new HandshakeReply.Accepted(), third.feed(in));
        assertEquals(3, in.remaining());
    }

    @Test
    void silentEndIsARefusalWithoutText() {
        assertEquals(new HandshakeReply.Refused("", false), second.endOfInput());
    }

    @Test
    void challengeWhoseBytesAreDelimitersIsReadWhole() throws Exception {
        byte[] bytes = new byte[Challenge.SIZE];
        Arrays.fill(bytes, (byte) 0xFF);
        byte[] frame = Challenge.of(bytes).encode();

        HandshakeReply reply = null;
        for (ByteBuffer piece : Cuts.single(frame)) {
            assertNull(reply);
            reply = second.feed(piece);
        }

        var challenged = assertInstanceOf(HandshakeReply.Challenged.class, reply);
        assertEquals(Cuts.text(frame), Cuts.text(challenged.challenge().encode()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000031", "000000033", "999999999", "32       ", "-00000032"})
    void challengeOfAnotherLengthIsMalformed(String length) {
        ByteBuffer in = Cuts.buffer("CHALLENGE\u00ff" + length);

        assertThrows(MalformedFrameException.class, () -> second.feed(in));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void replyAboveTheLimitIsMalformed(ProtocolVersion version) throws Exception {
        var parser = new HandshakeReplyParser(version);

        assertNull(parser.feed(ByteBuffer.allocate(HelloParser.MAX_LENGTH)));
        assertThrows(MalformedFrameException.class, () -> parser.feed(ByteBuffer.allocate(1)));
    }
}
