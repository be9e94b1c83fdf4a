package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

class ProxyHeaderTest {
    private static final String BINARY = "0d0a0d0a000d0a515549540a";
    private static final String V4 = "c0000207" + "0a000001" + "1267" + "01bb";
    private static final String V6 =
            "20010db8000000000000000000000007" + "20010db8000000000000000000000001" + "126701bb";
    private static final String UNIX = "2f".repeat(216);
    private static final String TLV = "040003616263";
    private static final int MOST_STEPS = 64;

    private static byte[] text(String line) {
        return line.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] binary(String command, String family, String rest) {
        String length = HexFormat.of().toHexDigits((short) (rest.length() / 2));
        return HexFormat.of().parseHex(BINARY + command + family + length + rest);
    }

    private static String described(ProxyHeader header) {
        InetSocketAddress client = header.client();
        return client == null
                ? header.kind().toString()
                : client.getAddress().getHostAddress() + " " + client.getPort();
    }

    /** Headers, and what they say. */
    private static final List<Object[]> GOOD =
            List.of(
                    new Object[] {
                        text("PROXY TCP4 192.0.2.7 10.0.0.1 4711 443\r\n"), "192.0.2.7 4711"
                    },
                    new Object[] {
                        text("PROXY TCP6 2001:db8::7 2001:db8::1 4711 443\r\n"),
                        "2001:db8:0:0:0:0:0:7 4711"
                    },
                    new Object[] {text("PROXY TCP4 1.2.3.4 1.2.3.4 0 65535\r\n"), "1.2.3.4 0"},
                    new Object[] {text("PROXY UNKNOWN\r\n"), "UNKNOWN"},
                    new Object[] {text("PROXY UNKNOWN a b c\r\n"), "UNKNOWN"},
                    new Object[] {text("PROXY UNKNOWN " + "f".repeat(91) + "\r\n"), "UNKNOWN"},
                    new Object[] {binary("21", "11", V4), "192.0.2.7 4711"},
                    new Object[] {binary("21", "11", V4 + TLV), "192.0.2.7 4711"},
                    new Object[] {binary("21", "21", V6), "2001:db8:0:0:0:0:0:7 4711"},
                    new Object[] {binary("21", "21", V6 + TLV + TLV), "2001:db8:0:0:0:0:0:7 4711"},
                    new Object[] {binary("21", "12", V4), "UNKNOWN"},
                    new Object[] {binary("21", "31", UNIX), "UNKNOWN"},
                    new Object[] {binary("21", "00", ""), "UNKNOWN"},
                    new Object[] {binary("21", "00", TLV), "UNKNOWN"},
                    new Object[] {binary("20", "00", ""), "LOCAL"},
                    new Object[] {binary("20", "11", V4), "LOCAL"},
                    new Object[] {binary("20", "ff", TLV), "LOCAL"},
                    new Object[] {binary("21", "11", V4 + "00".repeat(4068)), "192.0.2.7 4711"});

    private static List<Object[]> headers() {
        return GOOD;
    }

    @ParameterizedTest
    @MethodSource("headers")
    void aHeaderIsReadWhereverItIsCut(byte[] header, String said) throws Exception {
        String rest = "GET / HTTP/1.1\r\n";
        byte[] all = new byte[header.length + rest.length()];
        System.arraycopy(header, 0, all, 0, header.length);
        System.arraycopy(text(rest), 0, all, header.length, rest.length());
        for (int end = 0; end < header.length; end++) {
            ByteBuffer part = ByteBuffer.wrap(all, 0, end);
            assertNull(ProxyHeader.read(part), "cut at " + end);
            assertEquals(0, part.position());
        }

        for (int end = header.length; end <= all.length; end++) {
            ByteBuffer whole = ByteBuffer.wrap(all, 0, end);
            ProxyHeader read = ProxyHeader.read(whole);
            assertNotNull(read);
            assertEquals(said, described(read));
            assertEquals(header.length, whole.position());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "PRI * HTTP/2.0\r\n",
                "proxy TCP4 1.2.3.4 1.2.3.4 1 2\r\n",
                "PROXY\r\n",
                "PROXY \r\n",
                "PROXY TCP4\r\n",
                "PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n",
                "PROXY tcp4 1.2.3.4 1.2.3.4 1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n",
                "PROXY TCP4  1.2.3.4 1.2.3.4 1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 \r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\n",
                "PROXY TCP4 1.2.3.4 1.2.3 1 2\r\n",
                "PROXY TCP4 1.2.3.04 1.2.3.4 1 2\r\n",
                "PROXY TCP4 ::1 1.2.3.4 1 2\r\n",
                "PROXY TCP4 a.test 1.2.3.4 1 2\r\n",
                "PROXY TCP6 1.2.3.4 ::1 1 2\r\n",
                "PROXY TCP6 ::1%lo ::1 1 2\r\n",
                "PROXY TCP6 :::1 ::1 1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 65536 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 01 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 -1 2\r\n",
                "PROXY TCP4 1.2.3.4 1.2.3.4 1 x\r\n",
                "\r\n\r\nx",
                "\u0000",
            })
    void whatIsNoHeaderIsRefused(String bytes) {
        ByteBuffer in = ByteBuffer.wrap(text(bytes));

        assertThrows(MalformedProxyHeaderException.class, () -> ProxyHeader.read(in));
        assertEquals(0, in.position());
    }

    @Test
    void aLineThatDoesNotEndIsRefusedAtItsLimit() throws Exception {
        byte[] line = text("PROXY UNKNOWN " + "f".repeat(93));

        assertEquals(107, line.length);
        assertNull(ProxyHeader.read(ByteBuffer.wrap(line, 0, 106)));
        assertThrows(
                MalformedProxyHeaderException.class, () -> ProxyHeader.read(ByteBuffer.wrap(line)));
    }

    private static List<byte[]> badBinaries() {
        return List.of(
                binary("11", "11", V4),
                binary("22", "11", V4),
                binary("31", "11", V4),
                binary("21", "41", V4),
                binary("21", "13", V4),
                binary("21", "11", V4.substring(2)),
                binary("21", "21", V4),
                binary("21", "31", V6),
                binary("21", "11", V4 + "00".repeat(4069)));
    }

    @ParameterizedTest
    @MethodSource("badBinaries")
    void aBinaryHeaderThatBreaksARuleIsRefusedBeforeItsRestIsThere(byte[] bytes) {
        assertThrows(
                MalformedProxyHeaderException.class,
                () -> ProxyHeader.read(ByteBuffer.wrap(bytes, 0, 16)));
    }

    @Test
    void theConnectionIsTheClientsWhereItIsNamed() throws Exception {
        var own = new ClientConnection(InetAddress.getByName("10.0.0.1"), 5, "10.0.0.9", 80, false);

        ProxyHeader named = ProxyHeader.read(ByteBuffer.wrap(binary("21", "11", V4)));
        ProxyHeader unknown = ProxyHeader.read(ByteBuffer.wrap(text("PROXY UNKNOWN\r\n")));
        ProxyHeader local = ProxyHeader.read(ByteBuffer.wrap(binary("20", "00", "")));

        assertNotNull(named);
        assertNotNull(unknown);
        assertNotNull(local);
        assertEquals("192.0.2.7", named.on(own).remoteText());
        assertEquals("10.0.0.9", named.on(own).localAddress());
        assertEquals("10.0.0.1", unknown.on(own).remoteText());
        assertEquals(true, unknown.on(own).isForwarded());
        assertEquals(own, local.on(own));
    }

    /** What cannot become a header is refused, now or with more bytes; nothing else is thrown. */
    @Test
    void anyBytesAreReadOrRefusedInTheSameWayWholeAndByteByByte() {
        var random = new Random(23);
        for (int i = 0; i < 30_000; i++) {
            byte[] bytes = ((byte[]) GOOD.get(random.nextInt(GOOD.size() - 1))[0]).clone();
            for (int k = random.nextInt(4); k > 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }

            String whole = outcome(bytes, bytes.length);

            String last = "";
            for (int end = 1; end <= bytes.length && !last.startsWith("refused"); end++) {
                last = outcome(bytes, end);
                if (!last.equals("waits") && !last.startsWith("refused")) {
                    break;
                }
            }
            assertEquals(whole, last, HexFormat.of().formatHex(bytes));
        }
    }

    private static String outcome(byte[] bytes, int end) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, end);
        try {
            ProxyHeader header = ProxyHeader.read(in);
            return header == null ? "waits" : described(header) + " " + in.position();
        } catch (MalformedProxyHeaderException e) {
            return "refused";
        }
    }

    /** As a reader does that must not take a byte of what follows. */
    @ParameterizedTest
    @MethodSource("headers")
    void whatIsMissingNeverReachesBehindTheHeader(byte[] header) {
        int length = 0;
        int steps = 0;
        for (int more = missing(header, 0); more > 0; more = missing(header, length)) {
            length += more;
            steps++;
        }
        assertEquals(header.length, length);
        assertTrue(steps <= MOST_STEPS, () -> "many reads for " + header.length);
    }

    private static int missing(byte[] header, int length) {
        return ProxyHeader.missing(ByteBuffer.wrap(header, 0, length));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "\26\3\1", "PROXY nonsense...\r\n"})
    void nothingIsMissingOfWhatIsNoHeader(String bytes) {
        assertEquals(0, ProxyHeader.missing(ByteBuffer.wrap(text(bytes))));
    }

    @Test
    void aHeaderThatIsTooLongIsNotReadToItsEnd() {
        byte[] line = text("PROXY UNKNOWN " + "x".repeat(100));
        assertEquals(0, ProxyHeader.missing(ByteBuffer.wrap(line)));
        byte[] binary = HexFormat.of().parseHex(BINARY + "2111ffff");
        assertTrue(ProxyHeader.missing(ByteBuffer.wrap(binary)) <= ProxyHeader.MOST_BYTES);
    }
}
