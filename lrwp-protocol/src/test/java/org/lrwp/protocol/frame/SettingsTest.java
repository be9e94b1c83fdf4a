package org.lrwp.protocol.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.UpgradeNames;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

class SettingsTest {
    private static final String TOO_LONG =
            "0123456789012345678901234567890123456789012345678901234567890123x";

    private static ByteBuffer payload(String text) {
        return StandardCharsets.ISO_8859_1.encode(text.replace('|', '\0'));
    }

    private static String said(byte[] frame) {
        return new String(frame, StandardCharsets.ISO_8859_1).replace('\0', '|');
    }

    private static ByteBuffer payloadOf(byte[] frame) throws MalformedFrameException {
        var parser = new FrameParser(PeerSettings.MIN_MAX_FRAME);
        parser.next(ByteBuffer.wrap(frame));
        assertEquals(FrameType.SETTINGS, parser.type());
        assertEquals(0, parser.stream());
        return parser.payload();
    }

    @Test
    void emptyFrameOfAPeerSaysTheDefaults() throws Exception {
        assertEquals(
                new PeerSettings("", 1, 65_536, 65_536, false, false, false),
                PeerSettings.parse(payload("")));
    }

    @Test
    void emptyFrameOfAProxySaysTheDefaults() throws Exception {
        assertEquals(
                new ProxySettings("", 65_536, 65_536, 10, 1), ProxySettings.parse(payload("")));
    }

    @Test
    void everySettingOfAPeerIsSaid() {
        var settings =
                new PeerSettings(
                        "p \u00e9", 64, 1 << 20, PeerSettings.UNLIMITED, true, false, true);

        assertEquals(
                "name=p \u00e9|capacity=64|max-frame=1048576|window=4294967295"
                        + "|started=1|stream=0|ping=1|",
                said(settings.encode()).substring(FrameHead.SIZE));
    }

    @Test
    void everySettingOfAProxyIsSaid() {
        assertEquals(
                "name=|max-frame=65536|window=65536|ping=10|connections=1|",
                said(ProxySettings.DEFAULT.encode()).substring(FrameHead.SIZE));
    }

    @Test
    void protocolsAreSaidWhereThereAreAny() throws Exception {
        var settings =
                new PeerSettings(
                        "", 1, 65_536, 0, true, true, true, UpgradeNames.of("websocket,foo/2"), "");

        assertTrue(said(settings.encode()).endsWith("|ping=1|upgrade=websocket, foo/2|"));
        assertEquals(settings, PeerSettings.parse(payloadOf(settings.encode())));
        assertEquals(UpgradeNames.NONE, PeerSettings.parse(payload("upgrade=|")).upgrade());
    }

    @Test
    void instanceIsSaidWhereThereIsOne() throws Exception {
        var settings =
                new PeerSettings("", 1, 65_536, 0, true, true, true, UpgradeNames.NONE, "a.B_9-z");

        assertTrue(said(settings.encode()).endsWith("|ping=1|instance=a.B_9-z|"));
        assertEquals(settings, PeerSettings.parse(payloadOf(settings.encode())));
        assertEquals("", PeerSettings.parse(payload("instance=|")).instance());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a,b", "/a", "\u00e9", TOO_LONG})
    void instanceThatIsNoNameIsNotTaken(String instance) {
        assertThrows(
                MalformedFrameException.class,
                () -> PeerSettings.parse(payload("instance=" + instance + "|")));
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new PeerSettings(
                                "", 1, 65_536, 0, true, true, true, UpgradeNames.NONE, instance));
    }

    @Test
    void settingsOfAPeerAreReadAsTheyWereWritten() throws Exception {
        var random = new Random(14);
        for (int round = 0; round < 500; round++) {
            var settings =
                    new PeerSettings(
                            name(random),
                            random.nextInt(Integer.MAX_VALUE),
                            random.nextInt(65_536, Integer.MAX_VALUE),
                            random.nextLong(PeerSettings.UNLIMITED + 1),
                            random.nextBoolean(),
                            random.nextBoolean(),
                            random.nextBoolean());

            assertEquals(settings, PeerSettings.parse(payloadOf(settings.encode())));
        }
    }

    @Test
    void settingsOfAProxyAreReadAsTheyWereWritten() throws Exception {
        var random = new Random(15);
        for (int round = 0; round < 500; round++) {
            var settings =
                    new ProxySettings(
                            name(random),
                            random.nextInt(65_536, Integer.MAX_VALUE),
                            random.nextLong(PeerSettings.UNLIMITED + 1),
                            random.nextInt(Integer.MAX_VALUE),
                            random.nextInt(1, Integer.MAX_VALUE));

            assertEquals(settings, ProxySettings.parse(payloadOf(settings.encode())));
        }
    }

    private static String name(Random random) {
        var name = new StringBuilder();
        int length = random.nextInt(PeerSettings.MAX_NAME + 1);
        for (int i = 0; i < length; i++) {
            name.append((char) (1 + random.nextInt(255)));
        }
        return name.toString();
    }

    @Test
    void unknownSettingsAreSkippedAndTheLastOfEqualNamesCounts() throws Exception {
        assertEquals(
                new PeerSettings("", 7, 65_536, 0, false, true, false),
                PeerSettings.parse(
                        payload(
                                "colour=blue|capacity=5||=|junk|Capacity=x|capacity=0007|stream=1"
                                        + "|window=0|")));
    }

    @Test
    void numbersAboveWhatAnIntHoldsAreTakenAsTheGreatest() throws Exception {
        PeerSettings peer =
                PeerSettings.parse(payload("capacity=4294967295|max-frame=2147483648|"));

        assertEquals(Integer.MAX_VALUE, peer.capacity());
        assertEquals(Integer.MAX_VALUE, peer.maxFrame());
    }

    @Test
    void longNameIsCutOff() throws Exception {
        PeerSettings peer = PeerSettings.parse(payload("name=" + "n".repeat(300) + "|"));

        assertEquals("n".repeat(200), peer.name());
    }

    @ParameterizedTest
    @CsvSource({
        "capacity=, capacity",
        "capacity, capacity",
        "capacity=-1, capacity",
        "capacity=+1, capacity",
        "'capacity=1 ', capacity",
        "capacity=1:, capacity",
        "capacity=0x10, capacity",
        "capacity=4294967296, capacity",
        "capacity=99999999999999999999999, capacity",
        "max-frame=65535, max-frame",
        "max-frame=0, max-frame",
        "window=4294967296, window",
        "window=many, window",
        "started=2, started",
        "started=, started",
        "stream=yes, stream",
        "ping=10, ping",
        "'upgrade=web socket', upgrade",
        "'upgrade=websocket,', upgrade",
    })
    void badValueOfAKnownSettingOfAPeerIsNamed(String setting, String name) {
        var thrown =
                assertThrows(
                        MalformedFrameException.class,
                        () -> PeerSettings.parse(payload("x=y|" + setting + "|")));

        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.startsWith("setting " + name + " is not "), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-frame=1", "window=-1", "ping=x", "connections=0", "connections="})
    void badValueOfAKnownSettingOfAProxyIsMalformed(String setting) {
        assertThrows(
                MalformedFrameException.class, () -> ProxySettings.parse(payload(setting + "|")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity=1", "capacity=1|name=x", "x"})
    void settingWithoutItsNulIsMalformed(String settings) {
        assertThrows(MalformedFrameException.class, () -> PeerSettings.parse(payload(settings)));
        assertThrows(MalformedFrameException.class, () -> ProxySettings.parse(payload(settings)));
    }

    @Test
    void valuesOutOfRangeAreMistakesOfTheCaller() {
        assertPeerRefused("n\0", 1, 65_536, 0);
        assertPeerRefused("\u20ac", 1, 65_536, 0);
        assertPeerRefused("n".repeat(201), 1, 65_536, 0);
        assertPeerRefused("", -1, 65_536, 0);
        assertPeerRefused("", 1, 65_535, 0);
        assertPeerRefused("", 1, 65_536, -1);
        assertPeerRefused("", 1, 65_536, 4_294_967_296L);
        assertProxyRefused(65_535, 0, 10, 1);
        assertProxyRefused(65_536, -1, 10, 1);
        assertProxyRefused(65_536, 0, -1, 1);
        assertProxyRefused(65_536, 0, 10, 0);
    }

    private static void assertPeerRefused(String name, int capacity, int maxFrame, long window) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new PeerSettings(name, capacity, maxFrame, window, true, true, true));
    }

    private static void assertProxyRefused(int maxFrame, long window, int ping, int connections) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new ProxySettings("", maxFrame, window, ping, connections));
    }
}
