package org.lrwp.protocol.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

class ContextNameTest {
    private static ByteBuffer payload(String text) {
        return StandardCharsets.ISO_8859_1.encode(text.replace('|', '\u00ff'));
    }

    @ParameterizedTest
    @CsvSource({
        "osp||, osp, '', /osp",
        "/osp|a.test|, /osp, a.test, /osp",
        "//osp/||, //osp/, '', /osp",
        "/||, /, '', /",
        "||, '', '', ''",
        ".ext||, .ext, '', .ext",
        "/.ext||, /.ext, '', .ext",
        "//.ext||, //.ext, '', /.ext",
    })
    void namesAreKeptAsTheyWereSent(String payload, String application, String host, String context)
            throws Exception {
        ContextName name = ContextName.parse(payload(payload));

        assertEquals(new ContextName(application, host), name);
        assertEquals(payload(payload), ByteBuffer.wrap(name.encode()));
        assertEquals(context, name.context());
        assertEquals(application.isEmpty(), name.isEmpty());
        assertEquals(
                new Registration(ProtocolVersion.LRWP_3, application, host), name.registration());
        assertEquals(context, name.registration().context());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "osp", "osp|", "osp|host", "osp||x", "osp|||"})
    void payloadWithoutItsTwoDelimitersIsMalformed(String payload) {
        assertThrows(MalformedFrameException.class, () -> ContextName.parse(payload(payload)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a|b", "a|b|", "a|b|text", "a|b|text|x"})
    void answerWithoutItsThreeDelimitersIsMalformed(String payload) {
        assertThrows(MalformedFrameException.class, () -> RegisteredAnswer.parse(payload(payload)));
    }

    @Test
    void nameAboveTwoHundredBytesIsReadButNotRegistered() throws Exception {
        String longest = "a".repeat(200);

        assertFalse(ContextName.parse(payload(longest + "|" + longest + "|")).isTooLong());
        assertFalse(ContextName.parse(payload("/" + longest + "||")).isTooLong());
        assertTrue(ContextName.parse(payload(longest + "a||")).isTooLong());
        assertTrue(ContextName.parse(payload("osp|" + longest + "a|")).isTooLong());
        assertThrows(
                IllegalArgumentException.class,
                () -> new ContextName(longest + "a", "").registration());
    }

    @Test
    void longestNamesFitAnyFrameTogetherWithTheirAnswer() throws Exception {
        String longest = "a".repeat(ContextName.MAX_PAYLOAD - 2);
        ContextName name = ContextName.parse(payload(longest + "||"));

        byte[] frame = Frames.registered(name, "x".repeat(2_000));

        assertTrue(frame.length - FrameHead.SIZE <= PeerSettings.MIN_MAX_FRAME);
        assertThrows(
                MalformedFrameException.class, () -> ContextName.parse(payload(longest + "a||")));
        assertThrows(
                MalformedFrameException.class,
                () -> RegisteredAnswer.parse(payload(longest + "a|||")));
        assertThrows(IllegalArgumentException.class, () -> new ContextName(longest, "a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "a\u00ffb", "\u20ac"})
    void nameThatCannotBeSentIsAMistakeOfTheCaller(String text) {
        assertThrows(IllegalArgumentException.class, () -> new ContextName(text, ""));
        assertThrows(IllegalArgumentException.class, () -> new ContextName("a", text));
    }

    @Test
    void answerIsReadAsItWasWritten() throws Exception {
        var random = new Random(3);
        for (int round = 0; round < 500; round++) {
            var name = new ContextName(text(random, 300), text(random, 300));
            var answer = new RegisteredAnswer(name, text(random, 900));

            assertEquals(name, ContextName.parse(ByteBuffer.wrap(name.encode())));
            assertEquals(answer, RegisteredAnswer.parse(payloadOf(answer.encode())));
            assertEquals(answer.text().isEmpty(), answer.isDone());
        }
    }

    private static ByteBuffer payloadOf(byte[] frame) throws MalformedFrameException {
        var parser = new FrameParser(PeerSettings.MIN_MAX_FRAME);
        assertTrue(parser.next(ByteBuffer.wrap(frame)));
        assertEquals(FrameType.REGISTERED, parser.type());
        return parser.payload();
    }

    private static String text(Random random, int most) {
        var text = new StringBuilder();
        int length = random.nextInt(4) == 0 ? 0 : random.nextInt(most);
        for (int i = 0; i < length; i++) {
            text.append((char) random.nextInt(0xFF));
        }
        return text.toString();
    }

    @Test
    void textOfAnAnswerIsMadeToFit() {
        var answer =
                new RegisteredAnswer(new ContextName("a", ""), "\u00ff\u20ac" + "x".repeat(2_000));

        assertEquals("??" + "x".repeat(998), answer.text());
        assertFalse(answer.isDone());
    }
}
