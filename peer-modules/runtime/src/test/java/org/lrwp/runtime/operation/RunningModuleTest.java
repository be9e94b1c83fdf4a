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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.configuration.Witness;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

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
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + module.adminPort() + "/-/api/v1" + path));
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
                allowed(path)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder allowed(String path) {
        return request(path).header("Authorization", "Bearer secret");
    }

    @Test
    void eachValueIsShownWithItsOriginBesideTheFigures() throws Exception {
        String status = get("/status");
        assertTrue(status.startsWith("{\"name\":\"here\",\"type\":\"echo\""), status);
        assertTrue(status.contains("\"figures\":{\"answersGiven\":0}"), status);
        assertEquals("{\"lines\":[]}\n", get("/report"));
        String one = get("/configuration/greeting");
        assertTrue(one.startsWith("{\"name\":\"greeting\",\"value\":\"one\""), one);
        assertTrue(one.contains("\"origin\":\"file " + file + ":1\""), one);
        assertTrue(get("/configuration").contains(one.strip()));
        String size = get("/configuration/size");
        assertTrue(size.contains("\"value\":\"5\",\"origin\":\"a test\",\"live\":false"), size);
        HttpResponse<String> none = send(request("/configuration/none"));
        assertEquals(404, none.statusCode());
        assertTrue(none.body().contains("There is no key none."), none.body());
        assertEquals(405, send(allowed("/status").POST(BodyPublishers.noBody())).statusCode());
        for (String old : List.of("/", "/status", "/metrics", "/report", "/configuration")) {
            URI address = URI.create("http://127.0.0.1:" + module.adminPort() + old);
            assertEquals(404, send(HttpRequest.newBuilder(address)).statusCode(), old);
        }
    }

    @Test
    void metricsHaveTheNameOfTheKindAndTheModuleAsLabel() throws Exception {
        URI address = URI.create("http://127.0.0.1:" + module.adminPort() + "/-/metrics");
        String plain = send(HttpRequest.newBuilder(address)).body();
        assertTrue(plain.contains("lrwp_echo_answers_given_total{module=\"here\"} 0.0"), plain);
        var open =
                send(
                        HttpRequest.newBuilder(address)
                                .header("Accept", "application/openmetrics-text"));
        assertTrue(open.body().endsWith("# EOF\n"), open.body());
    }

    @Test
    void aPutWithTheTokenChangesAndADeleteTakesItBack() throws Exception {
        var answer = put("/configuration/greeting", "{\"value\":\"two \\\"quoted\\\"\"}");
        assertEquals(200, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("\"two \\\"quoted\\\"\",\"origin\":\"HTTP 127.0.0.1\""));
        answer = put("/configuration", "{\"greeting\":\"three\",\"class.video.rate\":\"1MB\"}");
        assertEquals(200, answer.statusCode(), answer.body());
        assertTrue(answer.body().contains("class.video.rate"), answer.body());
        assertEquals(200, send(allowed("/configuration/greeting").DELETE()).statusCode());
        assertTrue(get("/configuration/greeting").contains("\"value\":\"one\""));
        assertEquals(200, send(allowed("/configuration/class.video.rate").DELETE()).statusCode());
        assertFalse(get("/configuration").contains("video"));
    }

    @Test
    void whoeverIsToldOfAChangeLearnsWhoseTokenItWas() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        module.configuration()
                .witness(
                        new Witness() {
                            @Override
                            public void changed(Origin origin, Values before, Values after) {
                                told.add(origin + " changed by " + origin.proof().identity());
                            }

                            @Override
                            public void refused(Origin origin, String reason) {
                                told.add(origin + " refused to " + origin.proof().identity());
                            }
                        });

        put("/configuration/greeting", "{\"value\":\"two\"}");
        put("/configuration/size", "{\"value\":\"6\"}");
        send(allowed("/configuration/greeting").DELETE());
        send(request("/configuration/greeting").DELETE());

        assertEquals(
                List.of(
                        "HTTP 127.0.0.1 changed by admin",
                        "HTTP 127.0.0.1 refused to admin",
                        "HTTP 127.0.0.1 changed by admin",
                        "HTTP 127.0.0.1 refused to "),
                told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "configuration/request-rate|{\"value\":\"fast\"}|400|request-rate = fast (HTTP",
                "configuration/request-rate|{}|400|value is missing.",
                "configuration/size|{\"value\":\"6\"}|400|cannot change while the program runs",
                "configuration|{\"greeting\":\"x\",\"size\":6}|400|size (HTTP",
                "configuration|no object|400|",
                "elsewhere|{}|404|There is no elsewhere in this API.",
            })
    void aBadPutIsRefusedWithItsReason(String path, String body, int status, String reason)
            throws Exception {
        HttpResponse<String> answer = put("/" + path, body);

        assertEquals(status, answer.statusCode(), answer.body());
        assertEquals(
                "application/problem+json", answer.headers().firstValue("Content-Type").orElse(""));
        assertTrue(answer.body().contains(reason == null ? "" : reason), answer.body());
        assertTrue(get("/configuration/greeting").contains("\"value\":\"one\""));
    }

    @Test
    void aBodyThatIsTooLongOrNoJsonIsRefused() throws Exception {
        assertEquals(413, put("/configuration/greeting", "x".repeat(70_000)).statusCode());
        var plain = allowed("/configuration/greeting").PUT(BodyPublishers.ofString("two"));
        assertEquals(415, send(plain).statusCode());
    }

    @Test
    void nobodyChangesAnythingWithoutTheToken() throws Exception {
        var wrong = request("/configuration/greeting").PUT(BodyPublishers.ofString("x"));
        HttpResponse<String> answer = send(wrong);
        assertEquals(401, answer.statusCode());
        assertEquals("Bearer", answer.headers().firstValue("WWW-Authenticate").orElse(""));
        long before = System.nanoTime();
        assertEquals(401, send(wrong.header("Authorization", "Bearer wrong")).statusCode());
        assertTrue(System.nanoTime() - before >= Operators.PENALTY.toNanos(), "it takes a second");
        try (RunningModule other = open("other", file, null)) {
            var put =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://localhost:"
                                                    + other.adminPort()
                                                    + "/-/api/v1/configuration/greeting"))
                            .PUT(BodyPublishers.ofString("x"));
            answer = send(put);
            assertEquals(403, answer.statusCode());
            assertTrue(answer.body().contains("admin-token-file is not set"), answer.body());
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
    void aFileThatIsRefusedForWhatIsNotSeenFromOutsideIsReadOnceThatIsRight() throws Exception {
        var size = new Setting("5", new Origin(Origin.Kind.START, "a test"));
        var configuration = Configuration.open(new EchoModule().keys(), Map.of("size", size), file);
        var secret = new AtomicBoolean(true);
        var tries = new AtomicInteger();
        List<String> refusals = new ArrayList<>();
        Live<String> greeting =
                configuration.bind(
                        values -> {
                            tries.incrementAndGet();
                            if (!secret.get()) {
                                throw new IllegalArgumentException("others may read the key");
                            }
                            return values.get(EchoModule.GREETING);
                        });
        configuration.witness(
                new Witness() {
                    @Override
                    public void changed(Origin origin, Values before, Values after) {}

                    @Override
                    public void refused(Origin origin, String reason) {
                        refusals.add(reason);
                    }
                });
        FileWatch watch = FileWatch.byHand(configuration, file);
        secret.set(false);
        tries.set(0);
        Files.writeString(file, "greeting = edited\n");
        watch.look();
        for (int i = 0; i <= FileWatch.LOOKS_BETWEEN; i++) {
            watch.look();
        }
        assertEquals("one", greeting.get());
        assertEquals(1, refusals.size(), refusals::toString);
        assertEquals(2, tries.get());
        secret.set(true);
        for (int i = 0; i < FileWatch.LOOKS_BETWEEN; i++) {
            watch.look();
        }
        assertEquals("edited", greeting.get());
        assertEquals("", configuration.refusal());
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
