package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.request.HeadFixture.aHead;
import static org.lrwp.engine.request.HeadFixture.aHeadWithoutFields;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Whose request it is when it comes from a trusted proxy. */
class ForwardedClientTest {
    private static final List<Network> TRUSTED =
            List.of(
                    Network.parse("127.0.0.0/8"),
                    Network.parse("10.0.0.0/8"),
                    Network.parse("fd00::/8"));
    private static final EnvConfig CONFIG = new EnvConfig("LRWP", "1.2", true, TRUSTED, "", 65_536);
    private static final ScriptPath PATH = new ScriptPath("", "/osp", 4, false);

    private static HeadFixture fromProxy() {
        return aHead().from("127.0.0.1");
    }

    private static String told(HeadFixture head) throws BadRequestException {
        ClientConnection client = CONFIG.identified(head.build()).connection();
        String scheme = client.secure() ? "https" : "http";
        return scheme + " " + client.remoteText() + " " + client.remotePort();
    }

    /** Lines of a field are separated by {@code |}; the proxy's own port is 40000. */
    private static HeadFixture with(HeadFixture head, String name, String lines) {
        HeadFixture made = head;
        for (String line : lines.split("\\|", -1)) {
            made = made.with(name, line);
        }
        return made;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                // One hop.
                "for=192.0.2.7 ! http 192.0.2.7 0",
                "for=192.0.2.7;proto=https ! https 192.0.2.7 0",
                "For=192.0.2.7;PROTO=HTTPS;by=10.0.0.1;host=a.test ! https 192.0.2.7 0",
                "proto=https; for=192.0.2.7 ! https 192.0.2.7 0",
                "for=\"192.0.2.7\" ! http 192.0.2.7 0",
                "for=\"192.0.2.7:4711\" ! http 192.0.2.7 4711",
                "for=192.0.2.7:4711;proto=http ! http 192.0.2.7 4711",
                "for=\"[2001:db8::1]\" ! http 2001:db8:0:0:0:0:0:1 0",
                "for=\"[2001:db8::1]:4711\" ! http 2001:db8:0:0:0:0:0:1 4711",
                "for=\"[2001:db8::1]:_x\" ! http 2001:db8:0:0:0:0:0:1 0",
                "for=\"192.0.2.7:_port\" ! http 192.0.2.7 0",
                "for=\"[::ffff:192.0.2.7]\" ! http 192.0.2.7 0",
                "for=\"192\\.0.2.7\" ! http 192.0.2.7 0",
                "for=192.0.2.7;proto=wss ! http 192.0.2.7 0",
                // From the right, as long as the sender is trusted.
                "for=198.51.100.1, for=192.0.2.7 ! http 192.0.2.7 0",
                "for=198.51.100.1|for=192.0.2.7 ! http 192.0.2.7 0",
                "for=198.51.100.1;proto=https, for=10.0.0.2;proto=http ! https 198.51.100.1 0",
                "for=198.51.100.1:9;proto=https|for=10.0.0.2|for=10.0.0.3 ! https 198.51.100.1 9",
                "for=192.0.2.1, for=198.51.100.1, for=10.0.0.2 ! http 198.51.100.1 0",
                "for=10.0.0.9, for=10.0.0.2 ! http 10.0.0.9 0",
                "for=198.51.100.1, for=\"[fd00::2]\" ! http 198.51.100.1 0",
                "for=192.0.2.7,, ! http 192.0.2.7 0",
                // Hops that cannot be read.
                "for=unknown ! http 127.0.0.1 40000",
                "for=unknown;proto=https ! https 127.0.0.1 40000",
                "for=_hidden, for=10.0.0.2:5 ! http 10.0.0.2 5",
                "for=198.51.100.1, for=_hidden ! http 127.0.0.1 40000",
                "for=198.51.100.1, for=unknown, for=10.0.0.2 ! http 10.0.0.2 0",
                "proto=https ! https 127.0.0.1 40000",
                "by=10.0.0.1 ! http 127.0.0.1 40000",
                "for= ! http 127.0.0.1 40000",
                "for ! http 127.0.0.1 40000",
                "=192.0.2.7 ! http 127.0.0.1 40000",
                "for=192.0.2.7;for=192.0.2.8 ! http 127.0.0.1 40000",
                "for=192.0.2.7;proto=https;proto=http ! http 127.0.0.1 40000",
                "for=192.0.2.7;;proto=https ! http 127.0.0.1 40000",
                "for=192.0.2 ! http 127.0.0.1 40000",
                "for=192.0.2.256 ! http 127.0.0.1 40000",
                "for=192.0.2.007 ! http 127.0.0.1 40000",
                "for=1 ! http 127.0.0.1 40000",
                "for=a.test ! http 127.0.0.1 40000",
                "for=\"2001:db8::1\" ! http 127.0.0.1 40000",
                "for=\"[2001:db8::1%eth0]\" ! http 127.0.0.1 40000",
                "for=\"[2001:db8::1\" ! http 127.0.0.1 40000",
                "for=\"[2001:db8::1]x:1\" ! http 127.0.0.1 40000",
                "for=\"[192.0.2.7]\" ! http 127.0.0.1 40000",
                "for=\"[2001:db8:::1]\" ! http 127.0.0.1 40000",
                "for=\"192.0.2.7:65536\" ! http 127.0.0.1 40000",
                "for=\"192.0.2.7:\" ! http 127.0.0.1 40000",
                "for=\"192.0.2.7:-1\" ! http 127.0.0.1 40000",
                "for=\"192.0.2.7 ! http 127.0.0.1 40000",
                "for=192.0.2.7\" ! http 127.0.0.1 40000",
                "for=\"192.0.2.7\\\" ! http 127.0.0.1 40000",
                "for=\" ! http 127.0.0.1 40000",
                "for=19 2.0.2.7 ! http 127.0.0.1 40000",
                "`` ! http 127.0.0.1 40000",
                // What the client has sent changes nothing of what the proxy has added.
                "for=\", for=192.0.2.7 ! http 192.0.2.7 0",
                "for=\"|for=192.0.2.7 ! http 192.0.2.7 0",
                "for=\"\\, for=192.0.2.7;proto=https ! https 192.0.2.7 0",
                "for=198.51.100.1;x=\"a, for=10.9.9.9;b=\\\"\", for=192.0.2.7 ! http 192.0.2.7 0",
                "for=198.51.100.1;x=\"a, for=1.1.1.1;b=\\\"\", for=10.0.0.2 ! http 198.51.100.1 0",
            })
    void theStandardsFieldNamesTheClient(String forwarded, String client) throws Exception {
        assertEquals(client, told(with(fromProxy(), "Forwarded", forwarded)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                "192.0.2.7 ! - ! http 192.0.2.7 0",
                "192.0.2.7 ! https ! https 192.0.2.7 0",
                "192.0.2.7 ! HTTP ! http 192.0.2.7 0",
                "198.51.100.1, 192.0.2.7 ! - ! http 192.0.2.7 0",
                "198.51.100.1|192.0.2.7 ! - ! http 192.0.2.7 0",
                "198.51.100.1, 10.0.0.2 ! https ! https 198.51.100.1 0",
                "198.51.100.1, 10.0.0.2 ! https, http ! https 198.51.100.1 0",
                "198.51.100.1 ! https, http ! http 198.51.100.1 0",
                "192.0.2.1,198.51.100.1,10.0.0.2,10.0.0.3 ! - ! http 198.51.100.1 0",
                "10.0.0.9, 10.0.0.2 ! - ! http 10.0.0.9 0",
                "2001:db8::1 ! - ! http 2001:db8:0:0:0:0:0:1 0",
                "[2001:db8::1] ! - ! http 2001:db8:0:0:0:0:0:1 0",
                "[2001:db8::1]:9 ! - ! http 2001:db8:0:0:0:0:0:1 0",
                "192.0.2.7:4711 ! - ! http 192.0.2.7 0",
                ", 192.0.2.7 , ! - ! http 192.0.2.7 0",
                "- ! https ! https 127.0.0.1 40000",
                "unknown ! https ! https 127.0.0.1 40000",
                "198.51.100.1, unknown ! - ! http 127.0.0.1 40000",
                "198.51.100.1, nonsense, 10.0.0.2 ! - ! http 10.0.0.2 0",
                "192.0.2.7:x ! - ! http 127.0.0.1 40000",
                "192.0.2 ! - ! http 127.0.0.1 40000",
                "[2001:db8::1]x ! - ! http 127.0.0.1 40000",
                "[2001:db8::1 ! - ! http 127.0.0.1 40000",
                "192.0.2.7 ! wss ! http 192.0.2.7 0",
                "`` ! - ! http 127.0.0.1 40000",
            })
    void elseTheUsualFieldsNameIt(String addresses, String schemes, String client)
            throws Exception {
        HeadFixture head = fromProxy();
        if (!addresses.equals("-")) {
            head = with(head, "X-Forwarded-For", addresses);
        }
        if (!schemes.equals("-")) {
            head = with(head, "X-Forwarded-Proto", schemes);
        }

        assertEquals(client, told(head));
    }

    @Test
    void theUsualFieldsDoNotCountBesideTheStandards() throws Exception {
        HeadFixture both =
                fromProxy()
                        .with("X-Forwarded-For", "198.51.100.1")
                        .with("X-Forwarded-Proto", "https")
                        .with("Forwarded", "for=192.0.2.7");

        assertEquals("http 192.0.2.7 0", told(both));
    }

    @Test
    void nobodyElseIsBelieved() throws Exception {
        RequestHead head =
                aHead().from("192.0.2.1")
                        .with("X-Forwarded-For", "198.51.100.1")
                        .with("X-Forwarded-Proto", "https")
                        .build();
        var nobody = new EnvConfig("LRWP", "1.2", true, List.of(), "", 65_536);
        RequestHead local = fromProxy().with("Forwarded", "for=192.0.2.7").build();

        assertSame(head, CONFIG.identified(head));
        assertSame(local, nobody.identified(local));
        assertFalse(nobody.trusts(local));
    }

    @Test
    void aRequestThatTellsNothingStaysAsItIs() throws Exception {
        RequestHead plain = fromProxy().with("X-Other", "1").build();
        RequestHead hidden = fromProxy().with("Forwarded", "for=unknown").build();

        assertSame(plain, CONFIG.identified(plain));
        assertSame(hidden, CONFIG.identified(hidden));
    }

    @Test
    void whoIsKnownIsNotLookedForAgain() throws Exception {
        // The hop behind this one is trusted too, but it was not this proxy's to believe.
        RequestHead once =
                CONFIG.identified(
                        fromProxy()
                                .with("X-Forwarded-For", "192.0.2.1, unknown, 10.0.0.2")
                                .build());

        assertEquals("10.0.0.2", once.connection().remoteText());
        assertSame(once, CONFIG.identified(once));
        assertTrue(CONFIG.trusts(once));
        assertEquals("127.0.0.1", once.connection().sender().remoteText());
        assertEquals("127.0.0.1", once.connection().carrier().remoteText());
    }

    @Test
    void whatIsBehindTlsStaysSoWhereNobodySaysOtherwise() throws Exception {
        HeadFixture head = fromProxy().secureOn(443).with("Forwarded", "for=192.0.2.7");

        assertEquals("https 192.0.2.7 0", told(head));
        assertEquals(
                "http 192.0.2.8 0",
                told(fromProxy().secureOn(443).with("Forwarded", "for=192.0.2.8;proto=http")));
    }

    private static Map<String, String> env(RequestHead head) throws Exception {
        String text =
                StandardCharsets.ISO_8859_1
                        .decode(
                                new EnvBlock(CONFIG, head, PATH, "id")
                                        .encode(new EnvBlockWriter(), 0, ""))
                        .toString();
        Map<String, String> variables = new HashMap<>();
        for (String entry : text.substring(9, text.length() - 9).split("\0", 0)) {
            int equals = entry.indexOf('=');
            variables.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
        return variables;
    }

    @Test
    void theEnvBlockTellsOfTheClient() throws Exception {
        RequestHead head =
                CONFIG.identified(
                        aHeadWithoutFields()
                                .with("Host", "a.test")
                                .from("127.0.0.1")
                                .with("Forwarded", "for=\"192.0.2.7:4711\";proto=https")
                                .build());

        Map<String, String> env = env(head);

        assertEquals("192.0.2.7", env.get("REMOTE_ADDR"));
        assertEquals("192.0.2.7", env.get("REMOTE_HOST"));
        assertEquals("4711", env.get("REMOTE_PORT"));
        assertEquals("on", env.get("HTTPS"));
        assertEquals("SSL", env.get("SERVER_SECURITY"));
        assertEquals("https://a.test/", env.get("SERVER_URL"));
        assertEquals("443", env.get("SERVER_HTTPS_PORT"));
        assertEquals("0", env.get("SERVER_HTTP_PORT"));
        assertEquals("8080", env.get("SERVER_PORT"));
        assertEquals("1", env.get("LRWP_FORWARDED"));
        assertEquals("for=\"192.0.2.7:4711\";proto=https", env.get("HTTP_FORWARDED"));
    }

    @ParameterizedTest
    @CsvSource({
        "X-Forwarded-For, 127.0.0.1, true",
        "X-Forwarded-For, '', true",
        "x-FORWARDED-proto, http, true",
        "X-Forwarded-Anything, 1, true",
        "Forwarded, nonsense, true",
        "X-Forwarded-, 1, false",
        "X_Forwarded_For, 1, false",
        "Lrwp-Forwarded, 1, false",
        "LRWP_FORWARDED, 1, false",
        "X-Other, 1, false",
    })
    void aForwardedRequestIsKnownAsSuchThoughItsFieldsAreDropped(
            String name, String value, boolean forwarded) throws Exception {
        for (String from : List.of("192.0.2.1", "127.0.0.1")) {
            RequestHead head = CONFIG.identified(aHead().from(from).with(name, value).build());

            Map<String, String> env = env(head);

            assertEquals(forwarded ? "1" : null, env.get("LRWP_FORWARDED"), from);
            assertEquals(forwarded, head.isForwarded(), from);
            if (forwarded && from.startsWith("192")) {
                assertNull(
                        env.get(
                                "HTTP_"
                                        + name.replace('-', '_')
                                                .toUpperCase(java.util.Locale.ROOT)));
            }
        }
    }

    @Test
    void aConnectionWithAProxyHeaderIsAForwardedOne() throws Exception {
        var own =
                new ClientConnection(InetAddress.getByName("10.0.0.1"), 5, "127.0.0.1", 80, false);
        var client = own.relayedFor(new InetSocketAddress(InetAddress.getLoopbackAddress(), 6));
        var unknown = own.relayedFor(null);

        assertEquals("127.0.0.1", client.remoteText());
        assertEquals(6, client.remotePort());
        assertTrue(client.isForwarded());
        assertSame(own, client.carrier());
        assertSame(client, client.sender());
        assertEquals("10.0.0.1", unknown.remoteText());
        assertTrue(unknown.isForwarded());
        assertFalse(own.isForwarded());
    }

    /** Whatever stands there: nothing is thrown, and strangers' words change nothing. */
    @Test
    void anyBytesBeforeWhatTheProxyAddsChangeNothing() throws Exception {
        var random = new Random(23);
        String parts = "for=by;,\"\\[]:_.0123456789abcdef unknown";
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder();
            int length = random.nextInt(40);
            for (int k = 0; k < length; k++) {
                text.append(parts.charAt(random.nextInt(parts.length())));
            }
            String sent = text.toString().strip();

            assertEquals(
                    "https 192.0.2.7 9",
                    told(fromProxy().with("Forwarded", sent + ", for=\"192.0.2.7:9\";proto=https")),
                    sent);
            assertEquals(
                    "http 192.0.2.7 0",
                    told(fromProxy().with("X-Forwarded-For", sent + ", 192.0.2.7")),
                    sent);
        }
    }
}
