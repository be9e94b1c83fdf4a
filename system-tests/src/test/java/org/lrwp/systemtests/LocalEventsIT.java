package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Browser;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The event module inside the proxy. */
@Timeout(120)
class LocalEventsIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir static Path folder;
    private static ProxyProcess proxy;

    @BeforeAll
    static void start() throws Exception {
        Path configuration =
                Configuration.write(
                        folder.resolve("proxy.properties"),
                        """
                        module.live.type = events
                        module.live.context = /events
                        module.live.slow-time = 2s
                        module.live.keep-alive = 1s
                        module.live.event-size = 1MiB
                        """);
        proxy = ProxyProcess.start("local-events", configuration, "--http-threads", "4");
    }

    /** A proxy that ends sends everybody away. */
    @AfterAll
    static void stop() throws Exception {
        try (ProxyProcess ending = proxy;
                RawHttp poll = RawHttp.to(ending.httpPort())) {
            poll.request("GET", "/events/drain");
            Wait.require("it waits", SOON, () -> ending.status().busy() > 0);
            ending.askToStop();

            HttpAnswer answer = poll.answer();
            assertEquals(503, answer.status());
            assertTrue(answer.value("Retry-After").isPresent());
        }
    }

    private static EventChecks checks() {
        return new EventChecks(proxy.httpPort(), "/events");
    }

    @Test
    void everybodyGetsEachEventOnceWhateverOthersDo() throws Exception {
        checks().requireForms();
        checks().requireCrowd(300, 50);
    }

    /** {@code target/events-demo.png} is to be looked at. */
    @Test
    void twoWindowsOfTheDemoSeeEachOthersMessages() throws Exception {
        try (Browser browser = Browser.start(Files.createDirectory(folder.resolve("chromium")))) {
            String url = "http://127.0.0.1:" + proxy.httpPort() + "/events/-/demo";
            Browser.Window one = browser.open(url);
            Browser.Window two = browser.open(url);
            for (Browser.Window window : List.of(one, two)) {
                Wait.require(
                        "a window is connected",
                        SOON,
                        () -> window.run(text("state")).contains("connected to channel demo"));
            }
            say(one, "Ann", "hello from the first window");
            Wait.require(
                    "the first message is in the second window",
                    SOON,
                    () -> two.run(text("messages")).contains("first window"));
            say(two, "Bob", "hello from the second window");

            for (Browser.Window window : List.of(one, two)) {
                Wait.require(
                        "both messages are there, with their times",
                        SOON,
                        () ->
                                window.run(text("messages"))
                                        .matches(
                                                "(?s).*Bob.*second window.* ms.*Ann.*first.*"
                                                        + " ms.*"));
            }
            Files.write(Project.target().resolve("events-demo.png"), two.picture());
        }
    }

    private static String text(String id) {
        return "(document.getElementById('" + id + "') || {innerText: ''}).innerText";
    }

    private static void say(Browser.Window window, String name, String text)
            throws InterruptedException {
        window.run(
                "document.getElementById('name').value = '"
                        + name
                        + "'; document.getElementById('text').value = '"
                        + text
                        + "'; document.getElementById('form').requestSubmit()");
    }

    @Test
    void clientThatDoesNotReadIsCutAndResumes() throws Exception {
        EventChecks checks = checks();
        String since = checks.publish("slow", "begin");
        try (RawHttp slow = RawHttp.slowReader(proxy.httpPort());
                RawHttp next = RawHttp.to(proxy.httpPort())) {
            checks.stream(slow, "slow", since);
            for (int i = 0; i < 20; i++) {
                checks.publish("slow", "x".repeat(500_000));
            }
            // It reads nothing now, and the module cuts it.
            Wait.require("it is cut", SOON, () -> proxy.status().busy() == 0);

            HttpAnswer resumed = next.get("/events/slow?since=" + since);
            assertEquals(200, resumed.status());
            assertTrue(resumed.text().contains("xxx"));
        }
    }
}
