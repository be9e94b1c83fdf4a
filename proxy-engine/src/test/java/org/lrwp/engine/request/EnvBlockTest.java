package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.request.HeadFixture.aHead;
import static org.lrwp.engine.request.HeadFixture.aHeadWithoutFields;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.network.Network;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class EnvBlockTest {
    private static final EnvConfig CONFIG =
            new EnvConfig("LRWP", "1.2", true, Network.LOOPBACK, "", 65_536);
    private static final EnvConfig PLAIN =
            new EnvConfig("LRWP", "1.2", false, Network.LOOPBACK, "/www", 65_536);
    private static final ScriptPath OSP = new ScriptPath("", "/osp/x", 4, false);

    private static Map<String, String> read(EnvBlock block, long bodyLength) throws Exception {
        ByteBuffer frame = block.encode(new EnvBlockWriter(), bodyLength, "");
        String text = StandardCharsets.ISO_8859_1.decode(frame).toString();
        assertEquals(String.format("%09d", bodyLength), text.substring(text.length() - 9));
        String env = text.substring(9, text.length() - 9);
        assertEquals(env.length(), Integer.parseInt(text.substring(0, 9)));
        assertTrue(env.endsWith("\0\0"));
        Map<String, String> variables = new LinkedHashMap<>();
        for (String entry : env.split("\0", 0)) {
            int equals = entry.indexOf('=');
            String name = entry.substring(0, equals);
            String before = variables.put(name, entry.substring(equals + 1));
            assertNull(before, "twice: " + name);
        }
        return variables;
    }

    private static Map<String, String> read(HeadFixture head) throws Exception {
        return read(new EnvBlock(CONFIG, head.build(), OSP, "id-1"), 0);
    }

    @Test
    void upgradeIsToldToAPeerThatTakesItAndToNobodyElse() throws Exception {
        var head = aHead().with("Connection", "upgrade").with("Upgrade", "websocket").build();
        var block = new EnvBlock(CONFIG, head, OSP, "id-1");

        String upgrade =
                StandardCharsets.ISO_8859_1
                        .decode(block.encode(new EnvBlockWriter(), 0, "websocket"))
                        .toString();

        assertTrue(
                upgrade.contains("\0HTTP_UPGRADE=websocket\0HTTP_CONNECTION=Upgrade\0"), upgrade);
        assertFalse(read(block, 0).containsKey("HTTP_UPGRADE"));
        assertFalse(read(block, 0).containsKey("HTTP_CONNECTION"));
    }

    private static EnvBlock traced(HeadFixture head, String parent, String state) throws Exception {
        var trace =
                new RequestTrace() {
                    @Override
                    public String parent() {
                        return parent;
                    }

                    @Override
                    public String state() {
                        return state;
                    }
                };
        return new EnvBlock(CONFIG, head.build(), OSP, "id-1", trace);
    }

    @Test
    void aTraceOfTheProxyTakesThePlaceOfTheClients() throws Exception {
        HeadFixture head = aHead().with("traceparent", "theirs").with("tracestate", "a=1");

        EnvBlock block = traced(head, "ours", "b=2");
        Map<String, String> env = read(block, 0);

        assertEquals("ours", env.get("HTTP_TRACEPARENT"));
        assertEquals("b=2", env.get("HTTP_TRACESTATE"));
        assertEquals("ours", block.header("Traceparent"));
        assertEquals("b=2", block.header("tracestate"));
        EnvBlock without = traced(head, "ours", "");
        assertFalse(read(without, 0).containsKey("HTTP_TRACESTATE"));
        assertNull(without.header("tracestate"));
    }

    @Test
    void withoutATraceOfTheProxyTheClientsFieldsPass() throws Exception {
        HeadFixture head = aHead().with("traceparent", "theirs").with("tracestate", "a=1");

        Map<String, String> env = read(head);

        assertEquals("theirs", env.get("HTTP_TRACEPARENT"));
        assertEquals("a=1", env.get("HTTP_TRACESTATE"));
        var block = new EnvBlock(CONFIG, head.build(), OSP, "id-1");
        assertEquals("theirs", block.header("traceparent"));
    }

    @Test
    void requestIsToldAsCgiSays() throws Exception {
        var head =
                aHead().method("POST")
                        .target("/app/osp/x?a=%20b")
                        .with("Content-Type", "text/xml")
                        .with("Content-Length", "5")
                        .build();
        var path = new ScriptPath("/app", "/osp/x", 4, false);

        var env = read(new EnvBlock(PLAIN, head, path, "id-1"), 5);

        assertEquals("CGI/1.1", env.get("GATEWAY_INTERFACE"));
        assertEquals("POST", env.get("REQUEST_METHOD"));
        assertEquals("/app/osp/x?a=%20b", env.get("REQUEST_URI"));
        assertEquals("/app/osp", env.get("SCRIPT_NAME"));
        assertEquals("/x", env.get("PATH_INFO"));
        assertEquals("/www/x", env.get("PATH_TRANSLATED"));
        assertEquals("a=%20b", env.get("QUERY_STRING"));
        assertEquals("192.0.2.7", env.get("REMOTE_ADDR"));
        assertEquals("40000", env.get("REMOTE_PORT"));
        assertEquals("Example.test", env.get("SERVER_NAME"));
        assertEquals("8080", env.get("SERVER_PORT"));
        assertEquals("HTTP/1.1", env.get("SERVER_PROTOCOL"));
        assertEquals("LRWP", env.get("SERVER_SOFTWARE"));
        assertEquals("text/xml", env.get("CONTENT_TYPE"));
        assertEquals("5", env.get("CONTENT_LENGTH"));
        assertEquals("Example.test:8080", env.get("HTTP_HOST"));
        assertEquals("text/xml", env.get("HTTP_CONTENT_TYPE"));
        assertEquals("id-1", env.get("HTTP_X_REQUEST_ID"));
        assertFalse(env.containsKey("HTTPS"));
        assertFalse(env.containsKey("QUERY_METHOD"));
        assertFalse(env.containsKey("HTTP_CONTENT_LENGTH"));
    }

    @Test
    void requestWithoutQueryAndBodySaysSo() throws Exception {
        var env = read(aHead().target("/osp/x"));

        assertEquals("", env.get("QUERY_STRING"));
        assertEquals("0", env.get("CONTENT_LENGTH"));
        assertEquals("", env.get("CONTENT_TYPE"));
        assertFalse(env.containsKey("PATH_TRANSLATED"));
        var plain = read(new EnvBlock(PLAIN, aHead().build(), OSP, "id-1"), 0);
        assertFalse(plain.containsKey("CONTENT_TYPE"));
    }

    @Test
    void pathIsNotTranslatedWithoutPathInfo() throws Exception {
        var path = new ScriptPath("", "/osp", 4, false);

        var env = read(new EnvBlock(PLAIN, aHead().build(), path, "id-1"), 0);

        assertFalse(env.containsKey("PATH_TRANSLATED"));
    }

    @Test
    void variablesOfXitamiAreThere() throws Exception {
        var env = read(new EnvBlock(CONFIG, aHead().build(), OSP, "id-1"), 7);

        assertEquals("/osp", env.get("SCRIPT_PATH"));
        assertEquals("GET", env.get("QUERY_METHOD"));
        assertEquals("http://Example.test:8080/", env.get("SERVER_URL"));
        assertEquals("1.2", env.get("SERVER_VERSION"));
        assertEquals("-", env.get("SERVER_SECURITY"));
        assertEquals("8080", env.get("SERVER_HTTP_PORT"));
        assertEquals("0", env.get("SERVER_HTTPS_PORT"));
        assertEquals("192.0.2.7", env.get("REMOTE_HOST"));
        assertEquals("-", env.get("REMOTE_USER"));
        assertEquals("7", env.get("HTTP_CONTENT_LENGTH"));
    }

    @Test
    void secureConnectionIsTold() throws Exception {
        var head = aHeadWithoutFields().with("Host", "a.test").secureOn(443);
        var path = new ScriptPath("", "/x.ext", 6, true);

        var env = read(new EnvBlock(CONFIG, head.build(), path, "id-1"), 0);

        assertEquals("on", env.get("HTTPS"));
        assertEquals("SSL", env.get("SERVER_SECURITY"));
        assertEquals("0", env.get("SERVER_HTTP_PORT"));
        assertEquals("443", env.get("SERVER_HTTPS_PORT"));
        assertEquals("https://a.test/", env.get("SERVER_URL"));
        assertEquals("", env.get("SCRIPT_PATH"));
        assertEquals("/x.ext", env.get("SCRIPT_NAME"));
    }

    @Test
    void certificateOfTheClientIsToldAndNobodyCanSayItInAField() throws Exception {
        var env =
                read(
                        aHead().showing(new byte[] {1, 2, 3})
                                .with("SSL-Client-Cert", "AAAA")
                                .with("Ssl_Client_Cert", "BBBB"));

        assertEquals("SUCCESS", env.get("SSL_CLIENT_VERIFY"));
        assertEquals("AQID", env.get("SSL_CLIENT_CERT"));
        assertEquals("AAAA", env.get("HTTP_SSL_CLIENT_CERT"));
        assertNull(read(aHead().with("SSL-Client-Cert", "AAAA")).get("SSL_CLIENT_CERT"));
    }

    @Test
    void hostOfAnAbsoluteTargetIsTheOnlyOne() throws Exception {
        var head = aHead().target("http://a.test:81/osp/x").with("X-Other", "y");

        var env = read(head);

        assertEquals("a.test", env.get("SERVER_NAME"));
        assertEquals("a.test:81", env.get("HTTP_HOST"));
    }

    @Test
    void repeatedFieldsAreJoined() throws Exception {
        var env =
                read(
                        aHead().with("Accept", "a")
                                .with("Cookie", "s=1")
                                .with("ACCEPT", "b")
                                .with("cookie", "t=2"));

        assertEquals("a, b", env.get("HTTP_ACCEPT"));
        assertEquals("s=1; t=2", env.get("HTTP_COOKIE"));
    }

    @Test
    void fieldsThatCouldPassForOthersAreLeftOut() throws Exception {
        var env =
                read(
                        aHead().with("Proxy", "evil:1")
                                .with("X_Auth_User", "evil")
                                .with("X-Auth-User", "good")
                                .with("X.Auth-User", "evil")
                                .with("Content_Length", "9")
                                .with("X-Request-Id", "evil")
                                .with("Authorization", "Basic x"));

        assertFalse(env.containsKey("HTTP_PROXY"));
        assertEquals("good", env.get("HTTP_X_AUTH_USER"));
        assertEquals("0", env.get("HTTP_CONTENT_LENGTH"));
        assertEquals("id-1", env.get("HTTP_X_REQUEST_ID"));
        assertEquals("Basic x", env.get("HTTP_AUTHORIZATION"));
    }

    @Test
    void fieldsThatEndAtThisHopAreLeftOut() throws Exception {
        var env =
                read(
                        aHead().with("Connection", "close, X-Mine")
                                .with("X-Mine", "1")
                                .with("Keep-Alive", "5")
                                .with("TE", "trailers")
                                .with("Upgrade", "h2c")
                                .with("Transfer-Encoding", "chunked")
                                .with("X-Other", "2"));

        for (String name : List.of("CONNECTION", "X_MINE", "KEEP_ALIVE", "TE", "UPGRADE")) {
            assertFalse(env.containsKey("HTTP_" + name), name);
        }
        assertFalse(env.containsKey("HTTP_TRANSFER_ENCODING"));
        assertEquals("2", env.get("HTTP_X_OTHER"));
    }

    @Test
    void forwardingFieldsAreBelievedOnlyFromTrustedProxies() throws Exception {
        HeadFixture head =
                aHead().with("Forwarded", "for=1")
                        .with("X-Forwarded-For", "10.0.0.1")
                        .with("Connection", "X-Forwarded-For");

        var stranger = read(head);
        assertFalse(stranger.containsKey("HTTP_FORWARDED"));
        assertFalse(stranger.containsKey("HTTP_X_FORWARDED_FOR"));

        var trusted = read(head.from("127.0.0.1"));
        assertEquals("for=1", trusted.get("HTTP_FORWARDED"));
        assertEquals("10.0.0.1", trusted.get("HTTP_X_FORWARDED_FOR"));
        assertEquals("127.0.0.1", trusted.get("REMOTE_ADDR"));
    }

    @Test
    void addressWithAZoneIsToldWithoutIt() throws Exception {
        var env = read(aHead().from("fe80::1"));

        assertEquals("fe80:0:0:0:0:0:0:1", env.get("REMOTE_ADDR"));
    }

    @Test
    void blockAboveItsLimitIsRefused() throws Exception {
        var small = new EnvConfig("LRWP", "1.2", true, Network.LOOPBACK, "", 300);

        var block = new EnvBlock(small, aHead().build(), OSP, "id-1");

        assertThrows(
                MalformedFrameException.class, () -> block.encode(new EnvBlockWriter(), 0, ""));
        assertThrows(
                IllegalArgumentException.class,
                () -> new EnvConfig("LRWP", "1.2", true, Network.LOOPBACK, "", 0));
    }

    @Test
    void aHeadThatComesAgainIsToldAsTheFirstTime() throws Exception {
        RequestHead head = aHead().with("X-A", "b").build();
        var first = read(new EnvBlock(CONFIG, head, OSP, "id-1"), 7);

        for (String id : List.of("id-2", "a-longer-id-3", "id-4")) {
            var again = read(new EnvBlock(CONFIG, head, OSP, id), 7);
            assertEquals(id, again.put("HTTP_X_REQUEST_ID", "id-1"));
            assertEquals(first, again);
        }
    }

    @Test
    void theSameHeadElsewhereIsToldAsItIsThere() throws Exception {
        RequestHead head = aHead().build();
        for (int i = 0; i < 3; i++) {
            read(new EnvBlock(CONFIG, head, OSP, "id-1"), 7);
        }
        var path = new ScriptPath("", "/osp/x", 6, false);

        assertEquals("8", read(new EnvBlock(CONFIG, head, OSP, "id"), 8).get("CONTENT_LENGTH"));
        assertEquals("", read(new EnvBlock(CONFIG, head, path, "id"), 7).get("PATH_INFO"));
        assertNull(read(new EnvBlock(PLAIN, head, OSP, "id"), 7).get("SERVER_URL"));
    }

    @Test
    void aBlockOfAHeadThatComesAgainHasItsLimitToo() throws Exception {
        RequestHead head = aHead().build();
        int usual =
                new EnvBlock(CONFIG, head, OSP, "id-1")
                        .encode(new EnvBlockWriter(), 0, "")
                        .remaining();
        var tight = new EnvConfig("LRWP", "1.2", true, Network.LOOPBACK, "", usual - 18);
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    usual,
                    new EnvBlock(tight, head, OSP, "id-1")
                            .encode(new EnvBlockWriter(), 0, "")
                            .remaining());
        }

        var longer = new EnvBlock(tight, head, OSP, "id-10");

        assertThrows(
                MalformedFrameException.class, () -> longer.encode(new EnvBlockWriter(), 0, ""));
    }

    @Test
    void bytesOfThePathArriveAsTheyAre() throws Exception {
        var path = new ScriptPath("", "/osp/\u00c3\u00a9=\n", 4, false);

        var env = read(new EnvBlock(CONFIG, aHead().build(), path, "id-1"), 0);

        assertEquals("/\u00c3\u00a9=\n", env.get("PATH_INFO"));
    }
}
