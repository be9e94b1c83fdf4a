package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

class ChallengeTest {
    private final Challenge challenge = Challenge.create(new Random(1));

    private static byte[] proof(byte[] answer) {
        return Arrays.copyOfRange(answer, LengthField.SIZE, answer.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", "funky161", "exactly-32-bytes-long-secret-key", "\u00e9\u0000"})
    void peerThatHasTheKeyProvesItAndOthersDoNot(String key) {
        byte[] bytes = Cuts.bytes(key);
        byte[] proof = proof(challenge.answer(bytes));

        assertTrue(challenge.isAnsweredBy(proof, bytes));
        assertFalse(challenge.isAnsweredBy(proof, Cuts.bytes("other")));
        assertFalse(challenge.isAnsweredBy(new byte[0], bytes));
        assertFalse(challenge.isAnsweredBy(Arrays.copyOf(proof, 33), bytes));
    }

    @Test
    void proofIsTheKeyedHashOfChallengeAndNamesAsSent() {
        byte[] bytes = new byte[Challenge.SIZE];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        // As computed by another implementation of RFC 2104.
        assertEquals(
                "000000032" + "784c5777e82e53587bd04aae4e14e6da3d5bd82ac5929a880cfa6f1a110d5421",
                described(bytes, "osp", ""));
        assertEquals(
                "000000032" + "7975220aa6f58c1c22b05af57fdebd048c4f718880afbfe631f33e42d3717c12",
                described(bytes, "/osp", "a.test"));
        assertEquals(
                "000000032" + "04bdf4b5c7420aa18212dada804c45b9a09f4c696dd5d586f7eea03bbf4c12b3",
                described(bytes, "", ""));
    }

    private static String described(byte[] bytes, String application, String host) {
        var registration = new Registration(ProtocolVersion.LRWP_3, application, host);
        byte[] answer = Challenge.of(bytes).proof(Cuts.bytes("funky161"), registration);
        return Cuts.text(answer).substring(0, LengthField.SIZE)
                + HexFormat.of().formatHex(proof(answer));
    }

    @Test
    void proofIsOfThisKeyTheseNamesAndThisChallenge() {
        var registration = new Registration(ProtocolVersion.LRWP_3, "osp", "");
        var slash = new Registration(ProtocolVersion.LRWP_3, "/osp", "");
        byte[] key = Cuts.bytes("funky161");
        byte[] proof = proof(challenge.proof(key, registration));

        assertTrue(challenge.isProvedBy(proof, key, registration));
        assertFalse(challenge.isProvedBy(proof, Cuts.bytes("funky162"), registration));
        assertFalse(challenge.isProvedBy(proof, key, slash));
        assertFalse(Challenge.create(new Random(2)).isProvedBy(proof, key, registration));
        assertFalse(challenge.isProvedBy(Arrays.copyOf(proof, 31), key, registration));
        assertFalse(challenge.isProvedBy(Arrays.copyOf(proof, 33), key, registration));
        assertFalse(challenge.isProvedBy(new byte[0], key, registration));
        assertFalse(challenge.isProvedBy(proof(challenge.answer(key)), key, registration));
    }

    @Test
    void proofWithoutKeyOrOfAnOlderRegistrationIsAMistakeOfTheCaller() {
        var registration = new Registration(ProtocolVersion.LRWP_3, "osp", "");
        var older = new Registration(ProtocolVersion.LRWP_2, "osp", "");
        byte[] key = Cuts.bytes("k");

        assertThrows(
                IllegalArgumentException.class, () -> challenge.proof(new byte[0], registration));
        assertThrows(IllegalArgumentException.class, () -> challenge.proof(key, older));
        assertThrows(
                IllegalArgumentException.class,
                () -> challenge.isProvedBy(new byte[32], key, older));
    }

    @Test
    void challengeDependsOnItsRandomSource() {
        Challenge other = Challenge.create(new Random(2));

        assertEquals(51, challenge.encode().length);
        assertFalse(Arrays.equals(challenge.encode(), other.encode()));
    }

    @Test
    void challengeKeepsItsOwnCopy() {
        byte[] bytes = new byte[Challenge.SIZE];
        Challenge wrapped = Challenge.of(bytes);
        bytes[0] = 1;

        assertEquals(0, wrapped.encode()[51 - Challenge.SIZE]);
    }

    @Test
    void wrongSizesAreMistakesOfTheCaller() {
        assertThrows(IllegalArgumentException.class, () -> Challenge.of(new byte[31]));
        assertThrows(IllegalArgumentException.class, () -> challenge.answer(new byte[0]));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 33, 1024})
    void answerOfAnotherLengthIsReadToItsEndAndNeverRight(int length) throws Exception {
        var parser = new ChallengeAnswerParser();
        ByteBuffer in =
                ByteBuffer.allocate(LengthField.SIZE + length + 1)
                        .put(LengthField.encode(length))
                        .rewind();

        assertTrue(parser.feed(in));
        assertEquals(1, in.remaining());
        assertTrue(parser.answer().length <= Challenge.SIZE + 1);
        assertFalse(challenge.isAnsweredBy(parser.answer(), Cuts.bytes("k")));
    }

    @Test
    void longerAnswerThatBeginsRightIsWrong() throws Exception {
        byte[] key = Cuts.bytes("k");
        byte[] proof = proof(challenge.answer(key));
        var parser = new ChallengeAnswerParser();

        parser.feed(ByteBuffer.wrap(LengthField.encode(40)));
        parser.feed(ByteBuffer.wrap(proof));
        assertTrue(parser.feed(ByteBuffer.allocate(8)));

        assertFalse(challenge.isAnsweredBy(parser.answer(), key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"000001025", "999999999", "00000003x", " 00000032"})
    void answerWhoseLengthIsWrongIsMalformed(String length) {
        var parser = new ChallengeAnswerParser();

        assertThrows(MalformedFrameException.class, () -> parser.feed(Cuts.buffer(length)));
    }

    @Test
    void rightAnswerIsHandedOutAsItCame() throws Exception {
        byte[] frame = challenge.answer(Cuts.bytes("key"));
        var parser = new ChallengeAnswerParser();

        assertTrue(parser.feed(ByteBuffer.wrap(frame)));
        assertArrayEquals(proof(frame), parser.answer());
    }
}
