package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;

/** What peers are told of a request, and what they are not. */
@SystemTest
@ServerConfig
class EnvBlockIT {
    private static RequestFrame seen(Scene scene, String method, String rest, String... lines)
            throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.client();
        client.request(method, scene.path(rest), lines);
        RequestFrame request = peer.request();
        peer.text("seen");
        assertEquals(
                200, (method.equals("HEAD") ? client.answerToHead() : client.answer()).status());
        return request;
    }

    @Test
    void requestIsDescribedAsCgiSays(Scene scene) throws Exception {
        RequestFrame got = seen(scene, "GET", "/sub/a%20b;v=1?q=%41&r", "Accept: x/y");

        assertEquals("GET", got.env("REQUEST_METHOD"));
        assertEquals("/" + scene.app(), got.env("SCRIPT_NAME"));
        assertEquals("/sub/a b;v=1", got.env("PATH_INFO"));
        assertEquals("q=%41&r", got.env("QUERY_STRING"));
        assertEquals(scene.path("/sub/a%20b;v=1?q=%41&r"), got.env("REQUEST_URI"));
        assertEquals("127.0.0.1", got.env("REMOTE_ADDR"));
        assertTrue(Integer.parseInt(got.env("REMOTE_PORT")) > 0);
        assertEquals("127.0.0.1", got.env("SERVER_NAME"));
        assertEquals("" + scene.proxy().httpPort(), got.env("SERVER_PORT"));
        assertEquals("HTTP/1.1", got.env("SERVER_PROTOCOL"));
        assertEquals("CGI/1.1", got.env("GATEWAY_INTERFACE"));
        assertEquals("0", got.env("CONTENT_LENGTH"));
        assertEquals("x/y", got.env("HTTP_ACCEPT"));
        assertFalse(got.env("HTTP_X_REQUEST_ID").isEmpty());
    }

    @Test
    void peersOfTheNinetiesFindTheirVariables(Scene scene) throws Exception {
        RequestFrame got = seen(scene, "GET", "/x");

        assertEquals("/" + scene.app(), got.env("SCRIPT_PATH"));
        assertEquals("GET", got.env("QUERY_METHOD"));
        String port = "" + scene.proxy().httpPort();
        assertEquals("http://127.0.0.1:" + port + "/", got.env("SERVER_URL"));
        assertEquals("-", got.env("SERVER_SECURITY"));
        assertEquals(port, got.env("SERVER_HTTP_PORT"));
        assertEquals("0", got.env("SERVER_HTTPS_PORT"));
        assertEquals("127.0.0.1", got.env("REMOTE_HOST"));
        assertEquals("-", got.env("REMOTE_USER"));
        assertEquals("0", got.env("HTTP_CONTENT_LENGTH"));
        assertTrue(got.has("SERVER_VERSION"));
        assertEquals("", got.env("QUERY_STRING"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"})
    void methodsPass(String method, Scene scene) throws Exception {
        assertEquals(method, seen(scene, method, "/x").env("REQUEST_METHOD"));
    }

    @Test
    void proxyHeaderNeverBecomesHttpProxy(Scene scene) throws Exception {
        RequestFrame got = seen(scene, "GET", "/x", "Proxy: http://evil.test", "pROXY: y");

        assertFalse(got.has("HTTP_PROXY"));
    }

    @Test
    void namesThatCouldPoseAsOthersAreDropped(Scene scene) throws Exception {
        RequestFrame got =
                seen(
                        scene,
                        "GET",
                        "/x",
                        "X_Auth_User: forged",
                        "X-Auth-User: real",
                        "Content_Length: 99",
                        "Remote_Addr: 1.2.3.4",
                        "Script-Name: /forged");

        assertEquals("real", got.env("HTTP_X_AUTH_USER"));
        assertEquals("0", got.env("CONTENT_LENGTH"));
        assertEquals("0", got.env("HTTP_CONTENT_LENGTH"));
        assertFalse(got.has("HTTP_REMOTE_ADDR"));
        assertEquals("127.0.0.1", got.env("REMOTE_ADDR"));
        assertEquals("/forged", got.env("HTTP_SCRIPT_NAME"));
        assertEquals("/" + scene.app(), got.env("SCRIPT_NAME"));
    }

    @Test
    void repeatedHeadersAreJoined(Scene scene) throws Exception {
        RequestFrame got =
                seen(scene, "GET", "/x", "X-A: 1", "X-A: 2", "Cookie: a=1", "Cookie: b=2");

        assertEquals("1, 2", got.env("HTTP_X_A"));
        assertEquals("a=1; b=2", got.env("HTTP_COOKIE"));
    }

    @Test
    void headersOfTheHopStayAtTheHop(Scene scene) throws Exception {
        RequestFrame got =
                seen(
                        scene,
                        "GET",
                        "/x",
                        "Connection: keep-alive, X-Mine",
                        "X-Mine: hidden",
                        "Keep-Alive: timeout=5",
                        "TE: trailers",
                        "Proxy-Authorization: Basic eDp5",
                        "Authorization: Basic YTpi");

        assertFalse(got.has("HTTP_CONNECTION"));
        assertFalse(got.has("HTTP_X_MINE"));
        assertFalse(got.has("HTTP_KEEP_ALIVE"));
        assertFalse(got.has("HTTP_TE"));
        assertFalse(got.has("HTTP_PROXY_AUTHORIZATION"));
        assertEquals("Basic YTpi", got.env("HTTP_AUTHORIZATION"));
    }

    @Test
    void theServersEnvironmentStaysWithTheServer(Scene scene) throws Exception {
        RequestFrame got = seen(scene, "GET", "/x");

        for (String name : new String[] {"PATH", "HOME", "USER", "PWD", "JAVA_HOME"}) {
            assertFalse(got.has(name), name);
        }
    }

    @Test
    void forwardedPassesFromTrustedProxies(Scene scene) throws Exception {
        RequestFrame got =
                seen(scene, "GET", "/x", "X-Forwarded-For: 192.0.2.7", "Forwarded: for=192.0.2.7");

        assertEquals("192.0.2.7", got.env("REMOTE_ADDR"));
        assertEquals("0", got.env("REMOTE_PORT"));
        assertEquals("1", got.env("LRWP_FORWARDED"));
        assertEquals("192.0.2.7", got.env("HTTP_X_FORWARDED_FOR"));
        assertEquals("for=192.0.2.7", got.env("HTTP_FORWARDED"));
    }

    @Test
    void forwardedIsDroppedFromOthers(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.closing(RawHttp.from("127.0.0.3", scene.proxy().httpPort()));
        client.request("GET", scene.path("/x"), "X-Forwarded-For: 192.0.2.7", "Forwarded: for=x");

        RequestFrame got = peer.request();
        peer.text("seen");

        assertEquals("127.0.0.3", got.env("REMOTE_ADDR"));
        assertEquals("1", got.env("LRWP_FORWARDED"));
        assertFalse(got.has("HTTP_X_FORWARDED_FOR"));
        assertFalse(got.has("HTTP_FORWARDED"));
        assertEquals("seen", client.answer().text());
    }
}
