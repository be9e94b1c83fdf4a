package org.lrwp.runtime.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.testkit.EchoModule;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import javax.management.Attribute;
import javax.management.InvalidAttributeValueException;
import javax.management.MBeanException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** A module as operators see and change it: admin endpoint, console, file. */
class RunningModuleTest {
    private static final String TEXT = String.class.getName();

    @TempDir private Path folder;
    private final HttpClient client = HttpClient.newHttpClient();
    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private Path file;
    private RunningModule module;
    private ObjectName bean;

    @BeforeEach
    void open() throws Exception {
        file = Files.writeString(folder.resolve("echo.conf"), "greeting = one\n");
        module = open("here", file, token("secret"));
        bean = new ObjectName("org.lrwp:type=Module,kind=echo,name=\"here\"");
    }

    @AfterEach
    void close() {
        client.close();
        module.close();
    }

    private static RunningModule open(String name, Path file, @Nullable Path token)
            throws Exception {
        return RunningModule.open(
                new EchoModule(),
                new RunningModule.Start(
                        name,
                        List.of("/echo"),
                        Map.of("size", new Setting("5", new Origin(Origin.Kind.START, "a test"))),
                        file,
                        new Admin(0, token),
                        null));
    }

    private Path token(String text) throws Exception {
        Path path = Files.writeString(folder.resolve("token"), text + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        return path;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + module.adminPort() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private String get(String path) throws Exception {
        HttpResponse<String> answer = send(request(path));
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    private HttpResponse<String> put(String path, String body) throws Exception {
        return send(
                request(path)
                        .header("Authorization", "Bearer secret")
                        .PUT(BodyPublishers.ofString(body)));
    }

    @Test
    void eachValueIsShownWithItsOriginBesideTheFigures() throws Exception {
        String status = get("/status");
        assertTrue(status.contains("\"figures\":{\"answersGiven\":0}"), status);
        assertEquals(status, get("/-/status"));
        assertEquals("", get("/report"));
        String page = get("/");
        assertTrue(page.contains("greeting = one  (file " + file + ":1)"), page);
        assertTrue(page.contains("size = 5  (a test)"), page);
        assertTrue(page.contains("request-rate = unlimited  (default)"), page);
        assertTrue(page.contains("answersGiven = 0 answers  (Answers.)"), page);
        assertTrue(get("/metrics").contains("lrwp_echo_answers_given{module=\"here\"} 0"));
        String one = get("/configuration/greeting");
        assertTrue(one.startsWith("{\"name\":\"greeting\",\"value\":\"one\""), one);
        assertTrue(get("/configuration").contains(one.strip()));
        assertEquals(404, send(request("/configuration/none")).statusCode());
        assertEquals(405, send(request("/").POST(BodyPublishers.noBody())).statusCode());
    }

    @Test
    void aPutWithTheTokenChangesAndADeleteTakesItBack() throws Exception {
        HttpResponse<String> answer = put("/configuration/greeting", "two \"quoted\"\n");
        assertEquals(200, answer.statusCode());
        assertTrue(answer.body().contains("\"two \\\"quoted\\\"\",\"origin\":\"HTTP 127.0.0.1\""));
        answer = put("/configuration", "greeting = three\nclass.video.rate = 1MB\n");
        assertEquals(200, answer.statusCode());
        assertTrue(answer.body().contains("class.video.rate"), answer.body());
        var delete = request("/configuration/greeting").header("Authorization", "Bearer secret");
        assertTrue(send(delete.DELETE()).body().contains("\"value\":\"one\""));
        delete =
                request("/configuration/class.video.rate").header("Authorization", "Bearer secret");
        assertEquals(200, send(delete.DELETE()).statusCode());
        assertFalse(get("/configuration").contains("video"));
    }

    @Test
    void aBadPutIsRefusedWithItsReason() throws Exception {
        HttpResponse<String> answer = put("/configuration/request-rate", "fast");
        assertEquals(400, answer.statusCode());
        assertTrue(answer.body().startsWith("request-rate = fast (HTTP 127.0.0.1): allowed is"));
        assertEquals(400, put("/configuration/size", "6").statusCode());
        assertEquals(400, put("/configuration", "no equals").statusCode());
        assertEquals(413, put("/configuration/greeting", "x".repeat(70_000)).statusCode());
        assertEquals(404, put("/elsewhere", "x").statusCode());
        assertTrue(get("/configuration/greeting").contains("\"value\":\"one\""));
    }

    @Test
    void nobodyChangesAnythingWithoutTheToken() throws Exception {
        var wrong = request("/configuration/greeting").PUT(BodyPublishers.ofString("x"));
        assertEquals(401, send(wrong).statusCode());
        assertEquals(401, send(wrong.header("Authorization", "Bearer wrong")).statusCode());
        try (RunningModule other = open("other", file, null)) {
            var put =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://localhost:"
                                                    + other.adminPort()
                                                    + "/configuration/greeting"))
                            .PUT(BodyPublishers.ofString("x"));
            assertEquals(403, send(put).statusCode());
        }
    }

    @Test
    void aConsoleSeesFiguresAsNumbersAndWritesValues() throws Exception {
        assertEquals(0L, beans.getAttribute(bean, "AnswersGiven"));
        beans.setAttribute(bean, new Attribute("Greeting", "from a console"));
        assertEquals("from a console", beans.getAttribute(bean, "Greeting"));
        String[] all = (String[]) beans.getAttribute(bean, "Configuration");
        assertTrue(List.of(all).contains("greeting = from a console (JMX)"), String.join(";", all));
        var bad = new Attribute("RequestRate", "fast");
        var refused =
                assertThrows(
                        InvalidAttributeValueException.class, () -> beans.setAttribute(bean, bad));
        assertTrue(String.valueOf(refused.getMessage()).contains("allowed is bytes"));
        beans.invoke(bean, "set", new Object[] {"class.a.rate", "2KB"}, new String[] {TEXT, TEXT});
        assertEquals("2KB", beans.getAttribute(bean, "ClassARate"));
        beans.invoke(bean, "reset", new Object[] {"greeting"}, new String[] {TEXT});
        assertEquals("one", beans.getAttribute(bean, "Greeting"));
        assertThrows(
                MBeanException.class,
                () -> beans.invoke(bean, "reset", new Object[] {"x"}, new String[] {TEXT}));
        var info = beans.getMBeanInfo(bean);
        assertTrue(
                List.of(info.getAttributes()).stream()
                        .noneMatch(one -> one.getName().equals("Size") && one.isWritable()));
    }

    @Test
    void aChangedFileIsReadOnceItHasSettledAndABadOneIsLeft() throws Exception {
        var size = new Setting("5", new Origin(Origin.Kind.START, "a test"));
        var configuration = Configuration.open(new EchoModule().keys(), Map.of("size", size), file);
        Live<String> greeting = configuration.bind(values -> values.get(EchoModule.GREETING));
        FileWatch watch = FileWatch.byHand(configuration, file);
        Files.writeString(file, "greeting = edited\n");
        watch.look();
        assertEquals("one", greeting.get());
        watch.look();
        assertEquals("edited", greeting.get());
        Files.writeString(file, "greeting = again\ncolour = red\n");
        watch.look();
        watch.look();
        assertEquals("edited", greeting.get());
        assertEquals("unknown key colour (file " + file + ":2)", configuration.refusal());
        Files.delete(file);
        watch.look();
        watch.look();
        assertEquals("edited", greeting.get());
        assertEquals("there is no file " + file, configuration.refusal());
        watch.close();
    }

    @Test
    void whatCannotBeOpenedLeavesNothingBehind() throws Exception {
        Path open = Files.writeString(folder.resolve("open"), "x");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        var fault = assertThrows(BadConfigurationException.class, () -> open("two", file, open));
        assertTrue(String.valueOf(fault.getMessage()).contains("set its mode to 600"));
        assertFalse(
                beans.isRegistered(new ObjectName("org.lrwp:type=Module,kind=echo,name=\"two\"")));
        module.close();
        assertFalse(beans.isRegistered(bean));
    }
}
