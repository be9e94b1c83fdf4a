package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.Console;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.MetricsText;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** A running proxy is steered by its API and by {@code ctl}. */
@Timeout(120)
class SteeringIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TOKEN = "a token of an operator";

    @TempDir static Path folder;

    private static Path token;
    private static Path file;
    private static ProxyProcess proxy;

    @BeforeAll
    static void start() throws Exception {
        token = Configuration.write(folder.resolve("token"), TOKEN + "\n");
        file =
                Configuration.write(
                        folder.resolve("a.properties"),
                        "admin.token-file="
                                + token
                                + "\naccess-log.file="
                                + folder.resolve("access.log")
                                + "\n");
        proxy = ProxyProcess.start("steering", file);
    }

    @AfterAll
    static void stop() {
        proxy.close();
    }

    private static HttpAnswer act(String method, String path, String body) throws IOException {
        return send(method, path, body, "Authorization: Bearer " + TOKEN);
    }

    private static HttpAnswer send(String method, String path, String body, String... lines)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(lines));
        all.add("Content-Type: application/json");
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.send(
                    method,
                    "/-/api/v1/" + path,
                    body.getBytes(StandardCharsets.UTF_8),
                    all.toArray(String[]::new));
            return client.answer();
        }
    }

    private static String get(String target) throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            return client.get(target).text();
        }
    }

    private static void awaitPeer(String context) throws Exception {
        Wait.require(
                "a peer of " + context,
                SOON,
                () -> get("/-/api/v1/peers").contains("\"context\":\"" + context + "\""));
    }

    @Test
    void pausedContextTellsClientsWhenToComeAgain() throws Exception {
        try (ServingPeer _ = ServingPeer.echo(proxy.lrwpPort(), "paused")) {
            awaitPeer("/paused");
            String context = "\"context\":\"/paused\"";
            String pause = "{" + context + ",\"text\":\"We move house.\",\"retryAfter\":120}";
            assertEquals(200, act("POST", "contexts/pause", pause).status());

            try (RawHttp client = RawHttp.to(proxy.httpPort())) {
                HttpAnswer answer = client.get("/paused/x");
                assertEquals(503, answer.status());
                assertEquals("120", answer.value("Retry-After").orElse(""));
                assertTrue(answer.text().startsWith("503 paused: We move house. "), answer.text());
                assertTrue(get("/-/api/v1/errors").contains("\"reason\":\"paused\""));

                assertEquals(200, act("POST", "contexts/resume", "{" + context + "}").status());
                assertEquals("GET /x\n", client.get("/paused/x").text());
            }
        }
    }

    @Test
    void peerThatAnswersBadlyIsLeftOutWithoutARestart() throws Exception {
        String key = "configuration/context./shop.eject-after";
        String sick = "Status: 500 Broken\n\nsick";
        try (ServingPeer _ = ServingPeer.saying(proxy.lrwpPort(), "shop", sick);
                ServingPeer _ = ServingPeer.echo(proxy.lrwpPort(), "shop");
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            Wait.require("both peers", SOON, () -> contextOf("/shop").contains("\"slots\":2"));
            assertEquals(200, act("PUT", key, "{\"value\":\"2\"}").status());
            Wait.require(
                    "the sick peer is left out",
                    SOON,
                    () -> {
                        client.get("/shop/x");
                        return contextOf("/shop").contains("\"ejected\":[\"127.0.0.1:");
                    });
            for (int i = 0; i < 50; i++) {
                assertEquals(200, client.get("/shop/x").status(), "request " + i);
            }
            assertTrue(get("/-/metrics").contains("lrwp_ejections_total{context=\"/shop\""));

            assertEquals(200, act("DELETE", key, "").status());
            assertTrue(contextOf("/shop").contains("\"ejected\":[]"), contextOf("/shop"));
        }
    }

    @Test
    void clientsComeBackToTheirProcessByACookieAndGetBrotliOnceAKeyIsSet() throws Exception {
        String page = "Content-Type: text/html\n\n" + "<p>one and only</p>".repeat(100);
        String other = "Content-Type: text/html\n\n" + "<p>the other one</p>".repeat(100);
        try (ServingPeer _ = ServingPeer.saying(proxy.lrwpPort(), "cart", page);
                ServingPeer _ = ServingPeer.saying(proxy.lrwpPort(), "cart", other);
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            Wait.require("both peers", SOON, () -> contextOf("/cart").contains("\"slots\":2"));
            for (String[] key :
                    new String[][] {{"sticky-cookie", "cart-at"}, {"compress", "zstd, br"}}) {
                String path = "configuration/context./cart." + key[0];
                HttpAnswer set = act("PUT", path, "{\"value\":\"" + key[1] + "\"}");
                assertEquals(200, set.status(), set.text());
            }
            HttpAnswer first = client.get("/cart/x");
            String cookie = first.value("Set-Cookie").orElse("");
            assertTrue(
                    cookie.matches("cart-at=[A-Za-z0-9_-]{22}; Path=/cart; HttpOnly; SameSite=Lax"),
                    cookie);
            String shown = "Cookie: " + cookie.substring(0, cookie.indexOf(';'));
            for (int i = 0; i < 20; i++) {
                HttpAnswer again = client.get("/cart/x", shown);
                assertEquals(first.text(), again.text());
                assertTrue(again.value("Set-Cookie").isEmpty());
            }
            assertTrue(contextOf("/cart").contains("\"home\":20"), contextOf("/cart"));
            for (String coding : List.of("br", "zstd")) {
                HttpAnswer small = client.get("/cart/x", shown, "Accept-Encoding: " + coding);
                assertEquals(coding, small.value("Content-Encoding").orElse(""));
                assertTrue(small.body().length < 200, "" + small.body().length);
            }
        }
    }

    /** What the API says of a context. */
    private static String contextOf(String context) throws IOException {
        String all = get("/-/api/v1/contexts");
        int at = all.indexOf("{\"context\":\"" + context + "\"");
        return at < 0 ? "" : all.substring(at, all.indexOf("\"outcomes\"", at));
    }

    @Test
    void requestIsCancelledAndItsPeerDrained() throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.dial(proxy.lrwpPort()).register("stuck");
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.request("GET", "/stuck/y", "X-Request-Id: stuck-1");
            peer.request();
            Wait.require(
                    "it is shown with its phase",
                    SOON,
                    () -> get("/-/api/v1/requests").contains("\"phase\":\"sent\""));
            String shown = get("/-/api/v1/requests");
            String id =
                    shown.replaceAll("(?s).*\"id\":\"([^\"]+)\",\"context\":\"/stuck\".*", "$1");

            assertEquals(200, act("DELETE", "requests/" + id, "").status());

            HttpAnswer answer = client.answer();
            assertEquals(502, answer.status());
            assertTrue(answer.text().startsWith("502 cancelled: "), answer.text());
            peer.text("late");
            String name =
                    get("/-/api/v1/peers")
                            .replaceAll(
                                    "(?s).*\\{\"id\":\"([^\"]+)\"[^{]*\\{\"context\":\"/stuck\".*",
                                    "$1");
            assertEquals(200, act("POST", "peers/" + name + "/drain", "").status());
            Wait.require("it has left", SOON, () -> !get("/-/api/v1/peers").contains("/stuck"));
        }
    }

    @Test
    void wrongTokenIsAnsweredLate() throws Exception {
        long begin = System.nanoTime();
        HttpAnswer answer = send("DELETE", "peers/x", "", "Authorization: Bearer a wrong token");

        assertEquals(401, answer.status());
        assertTrue(System.nanoTime() - begin > Duration.ofMillis(900).toNanos());
        assertTrue(answer.text().contains("The token is wrong."), answer.text());
    }

    /** What is done while clients ask. */
    private interface Work {
        void run() throws Exception;
    }

    /** Three clients ask a peer, one request after the other; none may fail. */
    private static void underLoad(String app, Work work) throws Exception {
        try (ServingPeer _ = ServingPeer.echo(proxy.lrwpPort(), app);
                var threads = Executors.newFixedThreadPool(3)) {
            awaitPeer("/" + app);
            var over = new AtomicBoolean();
            Callable<Integer> load =
                    () -> {
                        int answered = 0;
                        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
                            while (!over.get()) {
                                assertEquals("GET /z\n", client.get("/" + app + "/z").text());
                                answered++;
                            }
                        }
                        return answered;
                    };
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(threads.submit(load));
            }
            try {
                work.run();
            } finally {
                over.set(true);
            }
            for (Future<Integer> client : clients) {
                assertTrue(client.get() > 0);
            }
        }
    }

    @Test
    void changesUnderLoadFailNoRequest() throws Exception {
        String[][] changes = {
            {"context.grace", "9s"},
            {"context./load.queue-length", "50"},
            {"context.response-timeout", "40s"},
            {"status.networks", "127.0.0.1"},
            {"access-log.format", "json"},
            {"drain-time", "1s"},
        };
        underLoad(
                "load",
                () -> {
                    for (int round = 0; round < 5; round++) {
                        for (String[] one : changes) {
                            String path = "configuration/" + one[0];
                            HttpAnswer set = act("PUT", path, "{\"value\":\"" + one[1] + "\"}");
                            assertEquals(200, set.status(), set.text());
                            assertTrue(
                                    set.text().contains("\"value\":\"" + one[1] + "\""),
                                    set.text());
                        }
                        for (String[] one : changes) {
                            assertEquals(
                                    200, act("DELETE", "configuration/" + one[0], "").status());
                        }
                    }
                });
    }

    private static void awaitModule(String name, String state) throws Exception {
        Wait.require(
                name + " is " + state,
                SOON,
                () ->
                        get("/-/api/v1/modules")
                                .matches(
                                        "(?s).*\"name\":\""
                                                + name
                                                + "\",\"type\":\"\\w+\",\"state\":\""
                                                + state
                                                + "\".*"));
    }

    private static void setAll(String values) throws Exception {
        HttpAnswer set = act("PUT", "configuration", values);
        assertEquals(200, set.status(), set.text());
    }

    @Test
    void modulesComeAndGoByApiAndFileWithoutAFailedRequestElsewhere() throws Exception {
        String text = "0123456789".repeat(10_000);
        Files.writeString(folder.resolve("slow.txt"), text);
        underLoad(
                "beside",
                () -> {
                    setAll(
                            """
                            {"module.files.type":"download","module.files.context":"/files",
                             "module.files.request-rate":"20KB","module.files.root":"%s",
                             "module.bad.type":"download","module.bad.context":"/bad",
                             "module.bad.root":"/no/such/folder"}
                            """
                                    .formatted(folder));
                    awaitModule("files", "running");
                    awaitModule("bad", "failed");
                    assertTrue(get("/-/api/v1/modules").contains("/no/such/folder"));
                    try (RawHttp client = RawHttp.to(proxy.httpPort())) {
                        client.request("GET", "/files/slow.txt");
                        Wait.require(
                                "the download has begun",
                                SOON,
                                () -> get("/-/api/v1/modules").contains("\"downloads\":1"));
                        setAll(
                                "{\"module.files.enabled\":\"false\","
                                        + "\"module.bad.enabled\":\"false\"}");
                        assertEquals(text, client.answer().text());
                    }
                    Wait.require(
                            "both are gone",
                            SOON,
                            () -> get("/-/api/v1/modules").contains("\"modules\":[]"));
                    Files.writeString(
                            file,
                            "admin.token-file=%s%nmodule.more.type=events%nmodule.more.context=/more%n"
                                    .formatted(token));
                    awaitModule("more", "running");
                    Files.writeString(file, "admin.token-file=%s%n".formatted(token));
                    Wait.require(
                            "it is gone",
                            SOON,
                            () -> !get("/-/api/v1/modules").contains("\"more\""));
                });
    }

    @Test
    void contextsAreBeans() throws Exception {
        try (ServingPeer _ = ServingPeer.echo(proxy.lrwpPort(), "bean");
                Console console = Console.of(proxy.pid())) {
            String bean = "org.lrwp:type=Context,root=\"/\",context=\"/bean\",host=\"\"";
            Wait.require("its bean", SOON, () -> console.has(bean));

            assertEquals(1, console.get(bean, "Connections"));
        }
    }

    @Test
    void consoleSendsEvents() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.request("GET", "/-/live");
            String line = client.line();
            assertTrue(line.startsWith("HTTP/1.1 200"), line);
            int events = 0;
            while (events < 2) {
                events += lineOf(client).startsWith("data: <section") ? 1 : 0;
            }
        }
    }

    /** A line of a body, which ends with LF. */
    private static String lineOf(RawHttp client) throws IOException {
        var line = new StringBuilder();
        int next = client.wire().read();
        while (next >= 0 && next != '\n') {
            line.append((char) next);
            next = client.wire().read();
        }
        assertTrue(next >= 0, "the stream of events ended");
        return line.toString();
    }

    @Test
    void ctlPrintsTablesAndActs() throws Exception {
        try (ServingPeer _ = ServingPeer.echo(proxy.lrwpPort(), "shown")) {
            awaitPeer("/shown");

            assertTrue(ctl(0, "contexts").contains("/shown"));
            assertTrue(ctl(0, "--json", "status").startsWith("{\"version\":"));
            String done = ctl(0, "--token-file", token.toString(), "pause", "/shown");
            assertEquals("The context /shown is paused.", done.strip());
            assertEquals(
                    200,
                    act("PUT", "configuration/context./shown.inspect", "{\"value\":\"2\"}")
                            .status());
            assertEquals(200, act("POST", "contexts/resume", "{\"context\":\"/shown\"}").status());
            assertEquals("GET /seen\n", get("/shown/seen?token=mine"));
            String kept = ctl(0, "--token-file", token.toString(), "inspect");
            assertTrue(kept.contains("/shown/seen?token=***"), kept);
            String none = ctl(2, "inspect");
            assertTrue(none.contains("inspect needs --token-file or --certificate"), none);
            String refused = ctl(1, "--token-file", token.toString(), "drain", "nobody");
            assertEquals("lrwp: There is no peer nobody. (404)", refused.strip());
        }
    }

    /** The steps of docs/operations.md, "Why did this request fail?". */
    @Test
    void whyARequestFailedIsFoundFromMetricToLogLineToPeer() throws Exception {
        String time = "configuration/context./report.response-timeout";
        assertEquals(200, act("PUT", time, "{\"value\":\"200ms\"}").status());
        try (FramePeer hanging = FramePeer.dial(proxy.lrwpPort()).open("report", "capacity=4");
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            awaitPeer("/report");
            client.post("/report/monthly", new byte[1]);
            StreamedRequest request = hanging.request();
            hanging.started(request.stream());
            HttpAnswer failed = client.answer();
            assertEquals(504, failed.status());
            String id = failed.value("X-Request-Id").orElseThrow();
            assertTrue(failed.text().contains(id), failed.text());

            String[] labels = {"context=\"/report\"", "outcome=\"peer-timeout\"", "status=\"5xx\""};
            assertEquals(1, MetricsText.of(proxy).sum("lrwp_requests_total", labels));
            String error = lineWith(ctl(0, "errors"), id);
            assertTrue(error.contains("peer-timeout") && error.contains("/report"), error);

            Path log = folder.resolve("access.log");
            Wait.require("its line", SOON, () -> Files.readString(log).contains(" id=" + id + " "));
            String line = lineWith(Files.readString(log), " id=" + id + " ");
            assertTrue(line.contains("reason=peer-timeout"), line);
            String peer = line.replaceAll(".* peer=\"([^\"]+)\".*", "$1");

            assertEquals("" + hanging.wire().localPort(), peer.replaceAll(".*:", ""));
            assertEquals(id, request.env("HTTP_X_REQUEST_ID"));
            String stuck = lineWith(ctl(0, "--json", "peers").replace("},{", "},\n{"), peer);
            assertTrue(stuck.contains("\"stuck\":1"), stuck);
        }
        assertEquals(200, act("DELETE", time, "").status());
    }

    private static String lineWith(String lines, String text) {
        return lines.lines().filter(line -> line.contains(text)).findFirst().orElseThrow();
    }

    private static String ctl(int code, String... arguments) throws Exception {
        String jar = Project.root().resolve("proxy-server/target/proxy-server.jar").toString();
        List<String> command =
                new ArrayList<>(
                        Project.java(
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                jar,
                                "org.lrwp.server.ctl.Ctl",
                                "--url",
                                "http://127.0.0.1:" + proxy.httpPort()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, process.waitFor(), told);
        return told;
    }
}
