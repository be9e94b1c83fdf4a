package org.lrwp.osp.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.testkit.Vectors;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class MessageReaderTest {
    static List<String> vectors() {
        return Vectors.names();
    }

    @Test
    void textsAreReadWithoutTheWhiteSpaceAroundThem() throws Exception {
        Element component =
                read(
                        """
                        <Message>
                        <A><B type=' e164 '>
                         1 2 </B><C><![CDATA[ <x> ]]></C></A></Message>
                        """);

        assertEquals("1 2", component.childText("B").orElse(""));
        assertEquals("e164", component.children("B").getFirst().attribute("type").orElse(""));
        assertEquals("<x>", component.childText("C").orElse(""));
    }

    @Test
    void commentsAndInstructionsSayNothing() throws Exception {
        Element component =
                read("<!-- a --><Message><A>x<!-- b --><?c d?>y</A></Message><!-- e -->");

        assertEquals(new Element("A", Map.of(), "xy", List.of()), component);
    }

    /** What stands between pieces of a text belongs to it, what stands around them does not. */
    @Test
    void aTextInPiecesKeepsItsInnerWhiteSpaceOnly() throws Exception {
        Element component =
                read(
                        "<Message><A> \t<!-- a --> <![CDATA[ x]]><!-- b --> <?c d?>\t y <B/> \t</A>"
                                + "</Message>");

        assertEquals("x \t y", component.text());
        assertEquals(List.of(Element.leaf("B", "")), component.children());
    }

    @Test
    void theFiveEntitiesOfXmlAndCharacterReferencesAreRead() throws Exception {
        assertEquals(
                "&<>\"'A", read("<Message><A>&amp;&lt;&gt;&quot;&apos;&#65;</A></Message>").text());
    }

    @Test
    void theDeclaredEncodingIsUsed() throws Exception {
        byte[] latin1 =
                "<?xml version='1.0' encoding='ISO-8859-1'?><Message><A>\u00e9</A></Message>"
                        .getBytes(StandardCharsets.ISO_8859_1);

        assertEquals("\u00e9", new MessageReader().read(latin1).components().getFirst().text());
    }

    @Test
    void anExternalEntityIsNeitherReadNorAccepted(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "the secret");
        String message =
                "<!DOCTYPE Message [<!ENTITY x SYSTEM '"
                        + secret.toUri()
                        + "'>]><Message><A>&x;</A></Message>";

        MalformedMessageException refusal =
                assertThrows(MalformedMessageException.class, () -> read(message));

        assertEquals("a document type is not allowed", refusal.getMessage());
    }

    @Test
    void anExternalDocumentTypeIsNotFetched(@TempDir Path folder) {
        String missing = folder.resolve("missing.dtd").toUri().toString();

        MalformedMessageException refusal =
                assertThrows(
                        MalformedMessageException.class,
                        () ->
                                read(
                                        "<!DOCTYPE Message SYSTEM '"
                                                + missing
                                                + "'><Message><A/></Message>"));

        assertEquals("a document type is not allowed", refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Message><A>&undefined;</A></Message>",
                "<Message><A b='&undefined;'/></Message>",
                "<Message><A/></Message><Message/>",
                "<Message><A/></Message>x",
                "<Message><A b='1' b='2'/></Message>",
                "<Message><A>\u0001</A></Message>",
                "<?xml version='1.1'?><Message><A>&#1;</A></Message>",
                "<?xml version='1.1'?><Message><A b='&#1;'/></Message>",
                "<?xml version='1.0' encoding='no-such'?><Message><A/></Message>",
                "<!-- nothing else -->"
            })
    void whatIsNotWellFormedIsMalformed(String message) {
        assertThrows(MalformedMessageException.class, () -> read(message));
    }

    @Test
    void bytesThatAreNoTextAreMalformed() {
        byte[] latin1 = "<Message><A>\u00e9</A></Message>".getBytes(StandardCharsets.ISO_8859_1);

        MalformedMessageException refusal =
                assertThrows(
                        MalformedMessageException.class, () -> new MessageReader().read(latin1));

        assertEquals("the message is not text in UTF-8", refusal.getMessage());
    }

    @Test
    void aByteOrderMarkIsNoText() throws Exception {
        String message = "\uFEFF<Message><A>\u00e9</A></Message>";

        for (Charset charset :
                List.of(
                        StandardCharsets.UTF_8,
                        StandardCharsets.UTF_16BE,
                        StandardCharsets.UTF_16LE)) {
            Message read = new MessageReader().read(message.getBytes(charset));
            assertEquals("\u00e9", read.components().getFirst().text(), charset.name());
        }
    }

    @Test
    void everythingHasALimit() throws Exception {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 16; i++) {
            many.append(" a").append(i).append("='1'");
        }
        assertEquals(16, read("<Message><A" + many + "/></Message>").attributes().size());
        assertRefused("<Message><A" + many + " b='1'/></Message>", "more than 16 attributes");

        read("<Message>" + "<A>".repeat(15) + "</A>".repeat(15) + "</Message>");
        assertRefused(
                "<Message>" + "<A>".repeat(16) + "</A>".repeat(16) + "</Message>",
                "more than 16 levels");

        read("<Message>" + "<A/>".repeat(32) + "</Message>");
        assertRefused(
                "<Message>" + "<A/>".repeat(33) + "</Message>",
                "the message has more than 32 components");

        read("<Message><A>" + "<B/>".repeat(4_094) + "</A></Message>");
        assertRefused(
                "<Message><A>" + "<B/>".repeat(4_095) + "</A></Message>",
                "more than 4096 elements");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void whatIsWrittenReadsTheSame(String name) throws Exception {
        Message message = new MessageReader().read(Vectors.bytes(name));

        Message again =
                new MessageReader()
                        .read(ElementWriter.write(message.answer(7, message.components())));

        assertEquals(message, again);
    }

    @Test
    void aMessageWithoutIdIsAnsweredWithoutOne() throws Exception {
        Message message = new MessageReader().read(bytes("<Message><A/></Message>"));

        assertEquals(Optional.empty(), message.messageId());
        assertFalse(message.answer(1, List.of()).attributes().containsKey("messageId"));
    }

    @Test
    void textBeyondAsciiIsWrittenInUtf8() throws Exception {
        Element element = Element.of("Message", Element.leaf("A", "\u00e9\ud83d\ude00"));

        Message read = new MessageReader().read(ElementWriter.write(element));

        assertEquals("\u00e9\ud83d\ude00", read.components().getFirst().text());
    }

    @Test
    void whatXmlWouldChangeIsEscaped() {
        String plain = "x".repeat(2_000);
        Element element = Element.leaf("A", plain + "&<>\"'\r\n\t").with("b", "\u00e9&\u20ac'");

        assertEquals(
                "<?xml version='1.0' encoding='UTF-8'?><A b='\u00e9&amp;\u20ac&apos;'>"
                        + plain
                        + "&amp;&lt;&gt;&quot;&apos;&#13;&#10;&#9;</A>",
                new String(ElementWriter.write(element), StandardCharsets.UTF_8));
    }

    @Test
    void theAnswerToAnythingElseIsAResponse() {
        assertEquals("LaterResponse", ComponentName.answerTo("Later"));
    }

    private static void assertRefused(String message, String why) {
        assertEquals(
                why,
                assertThrows(MalformedMessageException.class, () -> read(message)).getMessage());
    }

    private static Element read(String message) throws MalformedMessageException {
        return new MessageReader().read(bytes(message)).components().getFirst();
    }

    private static byte[] bytes(String message) {
        return message.getBytes(StandardCharsets.UTF_8);
    }
}
