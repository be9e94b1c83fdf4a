package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The handshakes that were recorded from the original server, spoken by our side. */
class HandshakeVectorTest {
    private static final byte[] KEY = Cuts.bytes("funky161");

    /** What a proxy's access rules say where the syntax alone does not decide. */
    private static final Map<String, Refusal> RULES =
            Map.of(
                    "lrwp1-needauth", Refusal.AUTHENTICATION_REQUIRED,
                    "lrwp1-notpermitted", Refusal.NOT_PERMITTED,
                    "lrwp1-unauthorized", Refusal.UNAUTHORIZED_ACCESS,
                    "lrwp2-notpermitted", Refusal.NOT_PERMITTED,
                    "lrwp2-unauthorized", Refusal.UNAUTHORIZED_ACCESS);

    static Stream<WireVector> handshakes() {
        return Stream.of(
                        "lrwp1-empty",
                        "lrwp1-malformed-nodelim",
                        "lrwp1-malformed-onedelim",
                        "lrwp1-needauth",
                        "lrwp1-notpermitted",
                        "lrwp1-register-ok",
                        "lrwp1-register-slash",
                        "lrwp1-register-trailing-delim",
                        "lrwp1-register-vhost",
                        "lrwp1-toolong",
                        "lrwp1-unauthorized",
                        "lrwp2-badver-syntax",
                        "lrwp2-malformed",
                        "lrwp2-minor9",
                        "lrwp2-notpermitted",
                        "lrwp2-register-ok",
                        "lrwp2-unauthorized")
                .map(WireVector::load);
    }

    static Stream<WireVector> challenges() {
        return Stream.of("lrwp2-challenge-ok", "lrwp2-challenge-short", "lrwp2-challenge-wrong")
                .map(WireVector::load);
    }

    @ParameterizedTest
    @MethodSource("handshakes")
    void startupStringGetsTheRecordedReplyHoweverItIsCut(WireVector vector) {
        for (List<ByteBuffer> cut : Cuts.of(vector.fromPeer(0))) {
            assertArrayEquals(vector.toPeer(0), reply(vector.name(), cut));
        }
    }

    private static byte[] reply(String name, List<ByteBuffer> cut) {
        var parser = new HelloParser();
        cut.forEach(parser::feed);
        if (parser.endOfInput() == HelloParser.State.REFUSED) {
            return parser.refusal().encode(parser.version());
        }
        Refusal rule = RULES.get(name);
        return rule == null
                ? Acknowledgement.encode(parser.version())
                : rule.encode(parser.version());
    }

    @ParameterizedTest
    @MethodSource({"handshakes", "challenges"})
    void recordedReplyIsReadTheSameHoweverItIsCut(WireVector vector) throws Exception {
        ProtocolVersion version =
                vector.name().startsWith("lrwp1") ? ProtocolVersion.LRWP_1 : ProtocolVersion.LRWP_2;
        byte[] bytes = vector.toPeer(0);
        String whole = describe(replyRead(version, List.of(ByteBuffer.wrap(bytes))));

        assertEquals(described(bytes), whole);
        for (List<ByteBuffer> cut : Cuts.of(bytes)) {
            assertEquals(whole, describe(replyRead(version, cut)));
        }
    }

    private static HandshakeReply replyRead(ProtocolVersion version, List<ByteBuffer> cut)
            throws MalformedFrameException {
        var parser = new HandshakeReplyParser(version);
        for (ByteBuffer piece : cut) {
            HandshakeReply reply = parser.feed(piece);
            if (reply != null) {
                return reply;
            }
        }
        return parser.endOfInput();
    }

    private static String describe(HandshakeReply reply) {
        return switch (reply) {
            case HandshakeReply.Accepted _ -> "accepted";
            case HandshakeReply.Challenged challenged ->
                    "challenged " + Cuts.text(challenged.challenge().encode());
            case HandshakeReply.KeyChallenged challenged ->
                    "challenged " + Cuts.text(challenged.challenge().encode());
            case HandshakeReply.Refused refused -> "refused " + refused.text();
        };
    }

    private static String described(byte[] bytes) {
        String text = Cuts.text(bytes);
        if (text.startsWith("OK")) {
            return "accepted";
        }
        if (text.startsWith("CHALLENGE")) {
            return "challenged " + text;
        }
        return "refused " + text.replace("REJECTED\u00ff", "").replace("\u00ff", "");
    }

    @ParameterizedTest
    @MethodSource("challenges")
    void answerToTheChallengeGetsTheRecordedVerdictHoweverItIsCut(WireVector vector)
            throws Exception {
        Challenge challenge = received(vector);

        for (List<ByteBuffer> cut : Cuts.of(vector.fromPeer(1))) {
            var parser = new ChallengeAnswerParser();
            boolean whole = false;
            for (ByteBuffer piece : cut) {
                assertFalse(whole);
                whole = parser.feed(piece);
            }
            assertTrue(whole);
            byte[] verdict =
                    challenge.isAnsweredBy(parser.answer(), KEY)
                            ? Acknowledgement.encode(ProtocolVersion.LRWP_2)
                            : Refusal.INCORRECT_RESPONSE.encode(ProtocolVersion.LRWP_2);
            assertArrayEquals(vector.toPeer(1), verdict);
        }
    }

    @Test
    void ourAnswerToTheRecordedChallengeIsTheRecordedOne() throws Exception {
        WireVector vector = WireVector.load("lrwp2-challenge-ok");

        assertArrayEquals(vector.fromPeer(1), received(vector).answer(KEY));
    }

    @Test
    void answerOfAnOldServerToTheThirdVersionIsARefusalWithoutFrame() throws Exception {
        WireVector vector = WireVector.load("lrwp2-badversion");

        assertArrayEquals(
                vector.fromPeer(0), new Registration(ProtocolVersion.LRWP_3, "osp", "").encode());
        for (List<ByteBuffer> cut : Cuts.of(vector.toPeer(0))) {
            assertEquals(
                    new HandshakeReply.Refused("ERROR: Unknown LRWP version", false),
                    replyRead(ProtocolVersion.LRWP_3, cut));
        }
    }

    private static Challenge received(WireVector vector) throws MalformedFrameException {
        @Nullable HandshakeReply reply =
                new HandshakeReplyParser(ProtocolVersion.LRWP_2)
                        .feed(ByteBuffer.wrap(vector.toPeer(0)));
        return assertInstanceOf(HandshakeReply.Challenged.class, reply).challenge();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lrwp1-register-ok", "lrwp1-register-vhost", "lrwp2-register-ok"})
    void registrationIsWrittenAsItWasRecorded(String name) {
        byte[] startup = WireVector.load(name).fromPeer(0);
        var parser = new HelloParser();
        parser.feed(ByteBuffer.wrap(startup));

        assertArrayEquals(startup, parser.registration().encode());
    }
}
