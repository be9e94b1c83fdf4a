package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.JavaReadme;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** The programs in the README of the Java peers, as written there, on a JDK 17. */
@SystemTest
@ServerConfig
class JavaPeerIT {
    @Test
    void peerOfTheReadmeServesManyClients(Scene scene) throws Exception {
        scene.closing(JavaReadme.start("Hello", scene.proxy().lrwpPort()));
        scene.awaitServed("/hello");

        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String target = "/hello/" + i;
            answers.add(scene.meanwhile(() -> scene.client().get(target).text()));
        }
        for (int i = 0; i < 5; i++) {
            assertEquals("hello /" + i + "\n", answers.get(i).get());
        }
    }

    @Test
    void serverOfTheJdkDialsIn(Scene scene) throws Exception {
        scene.closing(JavaReadme.start("Site", scene.proxy().lrwpPort()));
        scene.awaitServed("/site");
        RawHttp client = scene.client();

        HttpAnswer answer = client.get("/site/a%20b?c=d", "User-Agent: a test");
        assertEquals(200, answer.status(), answer.toString());
        assertEquals("GET /site/a%20b?c=d\n", answer.text());
        byte[] body = Bytes.random(300_000, 1);
        client.post("/site/upload", body);
        assertTrue(client.answer().text().endsWith("300000 bytes\n"));
        scene.requireNext(client);
    }
}
