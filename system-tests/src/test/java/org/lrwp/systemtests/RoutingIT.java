package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.time.Duration;
import java.util.function.Function;

/** Which peer gets which request. */
@SystemTest
@ServerConfig
class RoutingIT {
    private static Function<RequestFrame, byte[]> named(String name) {
        return request ->
                ScriptedPeer.plain(
                        name + "|" + request.env("SCRIPT_NAME") + "|" + request.env("PATH_INFO"));
    }

    private static void peers(Scene scene) throws Exception {
        int port = scene.proxy().lrwpPort();
        for (String app : new String[] {"osp", "osp/sub", "ospx", ".ext", "OSP2"}) {
            scene.closing(new ServingPeer(port, app, named(app)));
        }
        scene.closing(new ServingPeer(port, "osp", "www.a.test", named("vhost")));
    }

    @ParameterizedTest
    @CsvSource({
        "/osp, osp|/osp|",
        "/osp/, osp|/osp|/",
        "/osp/x, osp|/osp|/x",
        "//osp, osp|/osp|",
        "/./osp, osp|/osp|",
        "/a/../osp/y, osp|/osp|/y",
        "/osp/%61%20b, 'osp|/osp|/a b'",
        "/osp/%2561, osp|/osp|/%61",
        "/osp/sub, osp/sub|/osp/sub|",
        "/osp/sub/1, osp/sub|/osp/sub|/1",
        "/osp/subs, osp|/osp|/subs",
        "/ospx/1, ospx|/ospx|/1",
        "/a.ext, .ext|/a.ext|",
        "/d/b.ext, .ext|/d/b.ext|",
        "/osp/b.ext, osp|/osp|/b.ext",
        "/%6fsp/z, osp|/osp|/z",
    })
    void requestGoesToTheMostSpecificContext(String target, String expected, Scene scene)
            throws Exception {
        peers(scene);

        assertEquals(expected, scene.client().get(target).text());
    }

    @ParameterizedTest
    @CsvSource({
        "/OSP, 404",
        "/x/osp, 404",
        "/osp.xml, 404",
        "/osp;v=1, 404",
        "/osp2, 404",
        "/a.EXT, 404",
        "/a.ext/more, 404",
        "/osp%2fz, 400",
        "/osp%5cz, 400",
        "/osp/%00, 400",
        "/osp/%zz, 400",
        "/osp/%2, 400",
        "/., 200",
        "/%2e, 200",
        "/x/.., 200",
        "/x/., 404",
        "/.., 400",
    })
    void requestThatNoContextServesDoesNotReachAPeer(String target, int status, Scene scene)
            throws Exception {
        peers(scene);
        RawHttp client = scene.client();

        assertEquals(status, client.get(target).status());

        scene.requireNext(client);
    }

    @Test
    void exactHostComesBeforeAnyHost(Scene scene) throws Exception {
        peers(scene);
        RawHttp client = scene.client();

        client.send("GET /osp/x HTTP/1.1\r\nHost: WWW.a.test:99\r\n\r\n");
        assertEquals("vhost|/osp|/x", client.answer().text());
        client.send("GET /osp/x HTTP/1.1\r\nHost: www.b.test\r\n\r\n");
        assertEquals("osp|/osp|/x", client.answer().text());
        client.send("GET http://www.a.test/osp/y HTTP/1.1\r\nHost: www.a.test\r\n\r\n");
        assertEquals("vhost|/osp|/y", client.answer().text());
    }

    @Test
    void rootContextComesAfterAllOthers(Scene scene) throws Exception {
        peers(scene);
        scene.closing(new ServingPeer(scene.proxy().lrwpPort(), "/", named("root")));
        RawHttp client = scene.client();

        assertEquals("root||/nothing/else", client.get("/nothing/else").text());
        assertEquals("root||/", client.get("/").text());
        assertEquals("osp|/osp|/x", client.get("/osp/x").text());
        assertEquals(".ext|/a.ext|", client.get("/a.ext").text());
        assertEquals(200, client.get("/-/health/live").status());
        scene.close();
        Wait.require(
                "the root context is gone",
                Duration.ofSeconds(20),
                () -> scene.proxy().status().context("/").isEmpty());
    }

    @Test
    void theProxysOwnPathsCannotBeRegistered(Scene scene) throws Exception {
        for (String app : new String[] {"-", "/-", "-/status"}) {
            ScriptedPeer peer = scene.dial();
            peer.wire().send(app + ScriptedPeer.FF + ScriptedPeer.FF);
            byte[] answer = peer.wire().readAll();
            assertEquals("ERROR: Application not permitted", Bytes.text(answer));
        }
    }
}
