package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;

class HelloParserTest {
    private static final String NONCE = "0123456789abcdefABCDEF".repeat(3).substring(0, 64);

    private static final String FF = "\u00ff";

    private final HelloParser parser = new HelloParser();

    private HelloParser.State feed(String bytes) {
        return parser.feed(Cuts.buffer(bytes.replace("|", FF)));
    }

    @ParameterizedTest
    @CsvSource({
        "osp||, osp, '', /osp",
        "/osp||, osp, '', /osp",
        "/osp/tep||, osp/tep, '', /osp/tep",
        "//osp||, /osp, '', /osp",
        "/||, '', '', /",
        ".ext||, .ext, '', .ext",
        "osp|www.a.test|, osp, www.a.test, /osp",
    })
    void oneLeadingSlashOfTheNameIsDropped(
            String startup, String application, String host, String context) {
        assertEquals(HelloParser.State.COMPLETE, feed(startup));

        Registration registration = parser.registration();
        assertEquals(ProtocolVersion.LRWP_1, registration.version());
        assertEquals(application, registration.application());
        assertEquals(host, registration.virtualHost());
        assertEquals(context, registration.context());
    }

    @ParameterizedTest
    @ValueSource(strings = {"osp||filter|", "osp||filter", "|2.0|osp||filter", "osp|||"})
    void bytesBehindTheLastDelimiterStayInTheBuffer(String startup) {
        ByteBuffer in = Cuts.buffer(startup.replace("|", FF));
        int end = startup.indexOf("osp||") + "osp||".length();

        assertEquals(HelloParser.State.COMPLETE, parser.feed(in));
        assertEquals(end, in.position());
        assertEquals(HelloParser.State.COMPLETE, parser.feed(in));
        assertEquals(end, in.position());
        assertEquals(HelloParser.State.COMPLETE, parser.endOfInput());
    }

    @ParameterizedTest
    @ValueSource(strings = {"|1.0|osp||", "|4.0|osp||", "|4.7|||", "|0.0|osp||", "|9.9|"})
    void otherMajorVersionIsUnknown(String startup) {
        assertEquals(HelloParser.State.REFUSED, feed(startup));
        assertEquals(Refusal.UNKNOWN_VERSION, parser.refusal());
        assertEquals(
                "ERROR: Unknown LRWP version",
                Cuts.text(parser.refusal().encode(parser.version())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "||",
                "|2|osp||",
                "|x.0|osp||",
                "|2,0|osp||",
                "|2.x|osp||",
                "|20.0|",
                "|osp|"
            })
    void versionThatIsNotDigitDotDigitIsMalformed(String startup) {
        assertEquals(HelloParser.State.REFUSED, feed(startup));
        assertEquals(Refusal.MALFORMED_STARTUP, parser.refusal());
    }

    @Test
    void versionFieldIsRefusedAtItsFourthByte() {
        assertEquals(HelloParser.State.VERSION, feed("|2.0"));
        assertEquals(HelloParser.State.REFUSED, feed("0"));
        assertEquals(Refusal.MALFORMED_STARTUP, parser.refusal());
    }

    @Test
    void secondVersionWithoutApplicationIsMalformedAndPlain() {
        assertEquals(HelloParser.State.REFUSED, feed("|2.0||host|"));
        assertEquals(
                "Malformed LRWP2 connection string",
                Cuts.text(parser.refusal().encode(parser.version())));
    }

    @ParameterizedTest
    @CsvSource({
        "|3.0|osp||, osp, '', /osp",
        "|3.0|/osp||, /osp, '', /osp",
        "|3.0|//osp|a.test|, //osp, a.test, /osp",
        "|3.00|osp||, osp, '', /osp",
        "|3.0|/||, /, '', /",
        "|3.0|/.ext||, /.ext, '', .ext",
        "|3.0|//.ext||, //.ext, '', /.ext",
    })
    void thirdVersionKeepsTheNamesAsTheyWereSent(
            String startup, String application, String host, String context) {
        assertEquals(HelloParser.State.COMPLETE, feed(startup));

        Registration registration = parser.registration();
        assertEquals(new Registration(ProtocolVersion.LRWP_3, application, host), registration);
        assertEquals(context, registration.context());
        assertFalse(registration.registersNothing());
    }

    @Test
    void thirdVersionWithoutApplicationRegistersNothingYet() {
        assertEquals(HelloParser.State.COMPLETE, feed("|3.0||host|"));

        assertTrue(parser.registration().registersNothing());
        assertEquals("", parser.registration().context());
        assertEquals("host", parser.registration().virtualHost());
        assertFalse(new Registration(ProtocolVersion.LRWP_2, "", "").registersNothing());
    }

    @ParameterizedTest
    @CsvSource({
        "|3.1|osp||billing|2026a|NONCE|, billing, 2026a",
        "|3.12|osp||||NONCE|, '', ''",
        "|3.999|osp||name||NONCE|, name, ''",
    })
    void fromVersion31OnThePeerSaysWhoItIs(String startup, String name, String keyId) {
        String sent = startup.replace("NONCE", NONCE);

        assertEquals(HelloParser.State.COMPLETE, feed(sent));
        assertEquals(
                new Registration(
                        ProtocolVersion.LRWP_3, "osp", "", new IdentityClaim(name, keyId, NONCE)),
                parser.registration());
        assertEquals(sent, Cuts.text(parser.startup()).replace('\u00ff', '|'));
    }

    @ParameterizedTest
    @CsvSource({
        "|3., Malformed startup string",
        "|3.0, Malformed startup string",
        "|3.x|osp||, Malformed startup string",
        "|3.1000|osp||, Malformed startup string",
        "|3.0|, Malformed startup string",
        "|3.0||, Malformed startup string",
        "|3.0|osp|host, Malformed startup string",
        "|3.1|osp||, Malformed startup string",
        "|3.1|osp||name|key|NONCE, Malformed startup string",
        "|3.1|osp||name|key|00|, Malformed startup string",
        "|3.1|osp||na me|key|NONCE|, Malformed startup string",
        "|3.1|osp||name|k/y|NONCE|, Malformed startup string",
        "|3.1|osp||name|key|gNONCE|, Malformed startup string",
        "|3.1|LONG||name|key|NONCE|, Registration component too long",
        "|3.1|osp|LONG|name|key|NONCE|, Registration component too long",
    })
    void incompleteStartupOfTheThirdVersionIsRefusedInAFrame(String startup, String text) {
        feed(startup.replace("NONCE", NONCE).replace("LONG", "x".repeat(201)));

        assertEquals(HelloParser.State.REFUSED, parser.endOfInput());
        assertEquals(
                "REJECTED\u00ffERROR: " + text + "\u00ff",
                Cuts.text(parser.refusal().encode(parser.version())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/"})
    void namesOfTheThirdVersionHaveTheSameLimits(String slash) {
        String longest = "a".repeat(200);

        assertEquals(
                HelloParser.State.COMPLETE, feed("|3.0|" + slash + longest + "|" + longest + "|"));
        assertEquals(slash + longest, parser.registration().application());
        var longer = new HelloParser();
        longer.feed(Cuts.buffer(("|3.0|" + slash + longest + "a||").replace("|", FF)));
        assertEquals(
                "REJECTED\u00ffERROR: Registration component too long\u00ff",
                Cuts.text(longer.refusal().encode(longer.version())));
    }

    @ParameterizedTest
    @CsvSource({
        "'', MALFORMED_STARTUP",
        "osp, MALFORMED_STARTUP",
        "osp|, MALFORMED_STARTUP",
        "osp|host, MALFORMED_STARTUP",
        "|, MALFORMED_STARTUP",
        "|2.0, MALFORMED_STARTUP",
        "|2.0|, MALFORMED_LRWP2",
        "|2.0|osp, MALFORMED_LRWP2",
        "|2.0|osp|host, MALFORMED_LRWP2",
    })
    void endBeforeTheLastDelimiterIsMalformed(String startup, Refusal expected) {
        feed(startup);

        assertEquals(HelloParser.State.REFUSED, parser.endOfInput());
        assertEquals(expected, parser.refusal());
        assertEquals(HelloParser.State.REFUSED, parser.endOfInput());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "|2.0|", "|2.0|/"})
    void namesOfTwoHundredBytesFitAndOneMoreDoesNot(String prefix) {
        String longest = "a".repeat(200);

        assertEquals(HelloParser.State.COMPLETE, feed(prefix + longest + "|" + longest + "|"));
        assertEquals(longest, parser.registration().application());
        assertEquals(longest, parser.registration().virtualHost());
        assertTooLong(prefix + longest + "a||");
        assertTooLong(prefix + longest + "/|h|");
        assertTooLong(prefix + "osp|" + longest + "a|");
    }

    private static void assertTooLong(String startup) {
        var parser = new HelloParser();
        ByteBuffer in = Cuts.buffer(startup.replace("|", FF));

        assertEquals(HelloParser.State.REFUSED, parser.feed(in));
        assertEquals(0, in.remaining());
        assertEquals(
                "ERROR: Registration component too long",
                Cuts.text(parser.refusal().encode(parser.version())));
    }

    @Test
    void missingDelimiterCountsBeforeNameThatIsTooLong() {
        feed("a".repeat(300) + "|host");

        assertEquals(HelloParser.State.REFUSED, parser.endOfInput());
        assertEquals(Refusal.MALFORMED_STARTUP, parser.refusal());
    }

    @ParameterizedTest
    @CsvSource({"'', MALFORMED_STARTUP", "|2.0|, MALFORMED_LRWP2"})
    void stringWithoutEndIsRefusedAtItsLimit(String prefix, Refusal expected) {
        String most = prefix + "a".repeat(HelloParser.MAX_LENGTH - prefix.length() - 1);

        assertEquals(HelloParser.State.APPLICATION, feed(most));
        assertEquals(HelloParser.State.REFUSED, feed("a"));
        assertEquals(expected, parser.refusal());
    }

    @Test
    void delimiterAtTheLimitStillEndsTheString() {
        String startup = "osp|" + "h".repeat(HelloParser.MAX_LENGTH - 5) + "|";

        assertEquals(HelloParser.State.REFUSED, feed(startup));
        assertEquals(Refusal.COMPONENT_TOO_LONG, parser.refusal());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "POST http://h/osp HTTP/1.0\n",
                "OPTIONS * HTTP/1.1\r\n",
                "PRI * HTTP/2.0\r\n"
            })
    void requestOfHttpIsToldAtItsFirstLineThatThisIsNotItsPort(String line) {
        assertEquals(HelloParser.State.APPLICATION, feed(line.substring(0, line.length() - 1)));
        assertEquals(HelloParser.State.REFUSED, feed("\n"));
        String answer = Cuts.text(parser.refusal().encode(parser.version()));
        assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\r\n"), answer);
        assertTrue(answer.contains("\r\nContent-Length: 43\r\n"), answer);
        assertTrue(answer.endsWith("\r\n\r\nThis port is for LRWP peers, not for HTTP.\n"), answer);
    }

    @Test
    void clientOfTlsIsRefusedAtItsFirstBytesWhateverFollows() {
        assertEquals(HelloParser.State.APPLICATION, feed("\u0016"));
        assertEquals(HelloParser.State.REFUSED, feed("\u0003\u0001\u0000\u00ff\u0001\u00ff"));
        assertEquals(Refusal.TLS_HANDSHAKE, parser.refusal());
    }

    @Test
    void requestOfHttpWithoutEndOfItsLineIsToldAtTheEnd() {
        feed("GET /" + "x".repeat(1018));
        assertEquals(HelloParser.State.REFUSED, feed("x"));
        assertEquals(Refusal.HTTP_REQUEST, parser.refusal());
    }

    @Test
    void nameThatOnlyBeginsLikeARequestIsAName() {
        assertEquals(HelloParser.State.COMPLETE, feed("GET||"));
        assertEquals("/GET", parser.registration().context());
    }

    @Test
    void registrationAndRefusalAreThereOnlyWhenDecided() {
        feed("osp|");

        assertEquals(HelloParser.State.HOST, parser.feed(ByteBuffer.allocate(0)));
        assertThrows(IllegalStateException.class, parser::registration);
        assertThrows(IllegalStateException.class, parser::refusal);
    }
}
