package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

/** Five pipelined POSTs get five answers, whatever answers them. */
@SystemTest
@ServerConfig
class PipelineIT {
    private static final int COUNT = 5;

    @ParameterizedTest
    @ValueSource(ints = {1, 3_000, 100_000})
    void fivePostsToAPeer(int length, Scene scene) throws Exception {
        ServingPeer peer = scene.echo();
        RawHttp client = scene.client();
        sendFive(client, scene.path("/"), length);

        for (int i = 0; i < COUNT; i++) {
            String body = ("" + i).repeat(length);
            Answers.requireEcho("POST", "/" + i, body, client.answer());
        }
        assertEquals(COUNT, peer.seen().size());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing-here/", "/index.html?"})
    void fivePostsToTheDefaultServlet(String target, Scene scene) throws Exception {
        RawHttp client = scene.client();
        sendFive(client, target, 3_000);

        HttpAnswer first = client.answer();
        for (int i = 1; i < COUNT; i++) {
            assertEquals(first.status(), client.answer().status());
        }
        scene.requireNext(client);
    }

    @Test
    void fivePostsThatFailAtTheirPeer(Scene scene) throws Exception {
        scene.serving(request -> Bytes.of("no colon\r\n\r\n"));
        RawHttp client = scene.client();
        sendFive(client, scene.path("/"), 10);

        for (int i = 0; i < COUNT; i++) {
            Answers.requireError(502, "broken-head", client.answer());
        }
        scene.requireNext(client);
    }

    /** Among four clients one at least shares the peer's selector thread, and so its memory. */
    @ParameterizedTest
    @ValueSource(ints = {2, 150, 1_000})
    void answersDoNotTouchTheRequestsThatWaitBehindThem(int length, Scene scene) throws Exception {
        String rest = "r".repeat(length);
        scene.serving(request -> ScriptedPeer.plain(request.env("PATH_INFO") + rest));
        for (int i = 0; i < 4; i++) {
            RawHttp client = scene.client();
            sendFive(client, scene.path("/"), 10);

            for (int k = 0; k < COUNT; k++) {
                HttpAnswer answer = client.answer();
                assertEquals(200, answer.status(), answer.toString());
                assertEquals("/" + k + rest, answer.text());
            }
        }
    }

    @Test
    void fivePostsToTheStatusPage(Scene scene) throws Exception {
        RawHttp client = scene.client();
        sendFive(client, "/-/status?", 10);

        for (int i = 0; i < COUNT; i++) {
            assertEquals(405, client.answer().status());
        }
        scene.requireNext(client);
    }

    @Test
    void manyRequestsOfBothKindsKeepTheirOrder(Scene scene) throws Exception {
        scene.echo();
        RawHttp client = scene.client();
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            all.append(client.head("GET", scene.path("/get" + i)));
            all.append(client.head("GET", "/nothing-here"));
            all.append(client.head("POST", scene.path("/post" + i), "Content-Length: 2"));
            all.append("xy");
        }
        client.send(all.toString());

        for (int i = 0; i < 20; i++) {
            Answers.requireEcho("GET", "/get" + i, "", client.answer());
            assertEquals(404, client.answer().status());
            Answers.requireEcho("POST", "/post" + i, "xy", client.answer());
        }
        scene.requireNext(client);
    }

    private static void sendFive(RawHttp client, String target, int length) throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < COUNT; i++) {
            all.append(client.head("POST", target + i, "Content-Length: " + length));
            all.append(("" + i).repeat(length));
        }
        client.send(all.toString());
    }
}
