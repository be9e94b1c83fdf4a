package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.SpringBootShop;
import org.lrwp.testkit.wire.Bytes;

import java.util.Optional;

/** A Spring Boot application that dials in by Jetty's connector. Its start is most of the time. */
@SystemTest
@ServerConfig("scale")
class SpringBootIT {
    @Test
    void applicationIsServedAndLeavesInOrder(Scene scene) throws Exception {
        String app = scene.app();
        ExamplePeer shop = scene.closing(SpringBootShop.start(scene.proxy().lrwpPort(), app));
        shop.awaitLine("registered");
        scene.awaitServed("/" + app);
        RawHttp client = scene.client();

        assertEquals(
                "green tea for 127.0.0.1\n",
                client.get(scene.path("/articles/green%20tea")).text());
        requireOrder(scene, client);
        requireUpload(scene, client);
        String news = client.get(scene.path("/news")).text();
        assertEquals("data:news 1\n\ndata:news 2\n\ndata:news 3\n\n", news);
        assertEquals(500, client.get(scene.path("/fails")).status());
        shop.awaitLine("a fault of the shop");
        assertEquals(404, client.get(scene.path("/none")).status());

        client.request("GET", scene.path("/slow"));
        shop.awaitLine("slow begins");
        shop.terminate();
        assertEquals("slow\n", client.answer().text());
        shop.awaitEnd();
        scene.requireNext(client);
    }

    private static void requireOrder(Scene scene, RawHttp client) throws Exception {
        String order = "{\"article\":\"tea\",\"count\":2}";
        client.post(scene.path("/orders"), Bytes.of(order), "Content-Type: application/json");
        HttpAnswer answer = client.answer();
        assertEquals(201, answer.status(), answer.toString());
        assertEquals(order, answer.text());
        assertEquals(
                Optional.of(
                        "http://127.0.0.1:" + scene.proxy().httpPort() + scene.path("/orders/1")),
                answer.value("Location"));
    }

    private static void requireUpload(Scene scene, RawHttp client) throws Exception {
        byte[] picture = Bytes.random(300_000, 1);
        byte[] form =
                Bytes.join(
                        Bytes.of(
                                "--x\r\nContent-Disposition: form-data; name=\"picture\";"
                                        + " filename=\"p\"\r\n\r\n"),
                        picture,
                        Bytes.of("\r\n--x--\r\n"));
        client.post(scene.path("/pictures"), form, "Content-Type: multipart/form-data; boundary=x");
        HttpAnswer answer = client.answer();
        assertTrue(answer.text().contains("{\"bytes\":300000}"), answer.toString());
    }
}
