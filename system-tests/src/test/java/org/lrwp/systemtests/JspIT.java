package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** JSPs and files that somebody has added to the web application: the container serves them. */
@Timeout(180)
class JspIT {
    private static final String PAGE =
            """
            <%@ page contentType="text/plain;charset=utf-8" %>\
            <%= request.getMethod() %> <%= request.getParameter("a") %> <%= 6 * 7 %>
            """;

    @TempDir private static Path folder = Path.of("unset");
    private static ProxyProcess proxy;

    @BeforeAll
    static void startTheServerWithPages() throws Exception {
        Path war = folder.resolve("pages.war");
        Files.copy(Project.root().resolve("proxy-server/target/proxy-webapp.war"), war);
        try (FileSystem inside = FileSystems.newFileSystem(war, Map.of())) {
            write(inside.getPath("/page.jsp"), PAGE);
            write(inside.getPath("/folder/index.jsp"), PAGE);
            write(inside.getPath("/broken.jsp"), "<%= no java %>");
            write(inside.getPath("/style.css"), "p {}");
            write(inside.getPath("/font.woff2"), "no font");
            write(inside.getPath("/notes.nobody"), "notes");
        }
        Path file = Configuration.write(folder.resolve("jsp.properties"), "");
        proxy = ProxyProcess.start("jsp", file, "--war", war.toString());
    }

    private static void write(Path file, String text) throws IOException {
        if (file.getParent() != null) {
            Files.createDirectories(file.getParent());
        }
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }

    @AfterAll
    static void endTheServer() {
        proxy.close();
    }

    @Test
    void pageIsRunAndTheConnectionGoesOn() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer answer = client.get("/page.jsp?a=b%20c");

            assertEquals(200, answer.status());
            assertEquals("GET b c 42", answer.text().strip());
            assertTrue(answer.value("Content-Type").orElse("").startsWith("text/plain"));
            assertTrue(answer.value("Server").isEmpty());
            assertEquals("GET null 42", client.get("/folder/").text().strip());
            assertEquals(404, client.get("/nothing.jsp").status());
            assertEquals("GET x 42", client.get("/page.jsp?a=x").text().strip());
        }
    }

    @Test
    void pageGetsTheFieldsOfAForm() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            String type = "Content-Type: application/x-www-form-urlencoded";
            client.post("/page.jsp", Bytes.of("a=posted"), type);
            assertEquals("POST posted 42", client.answer().text().strip());
            client.post("/page.jsp", Bytes.of("a=again"), type);
            assertEquals("POST again 42", client.answer().text().strip());
        }
    }

    @Test
    void sourceOfAPageIsNeverShown() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            for (String target : new String[] {"/page.jsp%20", "/page.jsp/", "/PAGE.JSP"}) {
                HttpAnswer answer = client.get(target);
                assertTrue(answer.status() >= 400, target);
                assertFalse(answer.text().contains("<%"), target);
            }
        }
    }

    @Test
    void filesHaveTheTypesOfTheirNames() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            assertEquals("text/css", client.get("/style.css").value("Content-Type").orElse(""));
            assertEquals("font/woff2", client.get("/font.woff2").value("Content-Type").orElse(""));
            HttpAnswer unknown = client.get("/notes.nobody");
            assertEquals(200, unknown.status());
            assertEquals("", unknown.value("Content-Type").orElse(""));
        }
    }

    @Test
    void pageThatFailsIsAnErrorOfTheProxy() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer answer = client.get("/broken.jsp");

            assertEquals(500, answer.status());
            assertFalse(answer.text().contains("jasper"), answer.text());
        }
        try (RawHttp next = RawHttp.to(proxy.httpPort())) {
            assertEquals(200, next.get("/page.jsp").status());
        }
    }
}
