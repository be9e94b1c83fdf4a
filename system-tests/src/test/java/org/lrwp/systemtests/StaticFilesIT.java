package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;

/** What no peer serves comes from the web application's own files. */
@SystemTest
@ServerConfig
class StaticFilesIT {
    @Test
    void welcomeFileIsServed(Scene scene) throws Exception {
        RawHttp client = scene.client();

        HttpAnswer answer = client.get("/");

        assertEquals(200, answer.status());
        assertTrue(answer.value("Content-Type").orElse("").startsWith("text/html"));
        assertTrue(answer.text().contains("LRWP"));
        assertTrue(answer.value("Server").isEmpty());
        scene.requireNext(client);
    }

    @Test
    void fileThatHasNotChangedIsNotSentAgain(Scene scene) throws Exception {
        RawHttp client = scene.client();
        String tag = client.get("/index.html").value("ETag").orElseThrow();

        assertEquals(304, client.get("/index.html", "If-None-Match: " + tag).status());
        assertEquals(200, client.get("/index.html", "If-None-Match: \"other\"").status());
        scene.requireNext(client);
    }

    @Test
    void rangesAreServed(Scene scene) throws Exception {
        RawHttp client = scene.client();
        String whole = client.get("/index.html").text();

        HttpAnswer part = client.get("/index.html", "Range: bytes=2-5");
        HttpAnswer none = client.get("/index.html", "Range: bytes=900000-");

        assertEquals(206, part.status());
        assertEquals(whole.substring(2, 6), part.text());
        assertEquals(416, none.status());
        scene.requireNext(client);
    }

    @Test
    void headOfAFileHasNoBody(Scene scene) throws Exception {
        RawHttp client = scene.client();
        client.request("HEAD", "/index.html");

        HttpAnswer answer = client.answerToHead();

        assertEquals(200, answer.status());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/WEB-INF/web.xml",
                "/web-inf/web.xml",
                "/WEB-INF%2fweb.xml",
                "/x/../WEB-INF/web.xml",
                "/%57EB-INF/web.xml",
                "/META-INF/MANIFEST.MF",
                "/index.html%00.jsp",
                "/index.jsp%20"
            })
    void insidesStayInside(String target, Scene scene) throws Exception {
        RawHttp client = scene.client();

        int status = client.get(target).status();

        assertTrue(status == 404 || status == 400, "status " + status);
    }
}
