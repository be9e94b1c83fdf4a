package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Browser;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.ServingPeer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The console as people see it, in Chromium. {@code target/console-*.png} are to be looked at. */
@Timeout(180)
class ConsoleIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TOKEN = "a token of an operator";
    private static final int PEERS = 12;
    private static final String LONG = "customers/of-the-northern-region/application-number-";

    @TempDir static Path folder;

    private static ProxyProcess proxy;
    private static Browser browser;
    private static RawHttp slow;
    private static final List<ServingPeer> peers = new ArrayList<>();

    private Browser.Window window;

    @BeforeAll
    static void start() throws Exception {
        browser = Browser.start(Files.createDirectory(folder.resolve("chromium")));
        Path token = Configuration.write(folder.resolve("token"), TOKEN + "\n");
        Path file =
                Configuration.write(
                        folder.resolve("a.properties"),
                        "admin.token-file=" + token + "\ncontext./shop.inspect=5\n");
        proxy = ProxyProcess.start("console", file);
        peers.add(ServingPeer.echo(proxy.lrwpPort(), "shop"));
        for (int i = 1; i < PEERS; i++) {
            peers.add(ServingPeer.echo(proxy.lrwpPort(), LONG + i));
        }
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            Wait.require(
                    "all peers",
                    SOON,
                    () -> client.get("/-/api/v1/peers").text().split("\"age", -1).length > PEERS);
            assertEquals(200, client.get("/shop/seen").status());
        }
        slow = RawHttp.to(proxy.httpPort());
        slow.send("POST /shop/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf");
    }

    @AfterAll
    static void stop() throws Exception {
        if (proxy == null) {
            browser.close();
            return;
        }
        slow.close();
        for (ServingPeer peer : peers) {
            peer.close();
        }
        proxy.close();
        browser.close();
    }

    private static String url(String query) {
        return "http://127.0.0.1:" + proxy.httpPort() + "/-/" + query;
    }

    @BeforeEach
    void open() throws Exception {
        window = browser.open(url(""));
        window.look(1280, 900, "light");
        await(
                "the page",
                "document.readyState === 'complete' && !!document.querySelector('footer')");
    }

    private void await(String what, String condition) throws Exception {
        Wait.require(what, SOON, () -> is(condition));
    }

    private boolean is(String condition) throws InterruptedException {
        return window.run(condition).contains("\"value\":true");
    }

    private void logIn() throws Exception {
        if (is("!document.querySelector('form[action=logout]')")) {
            window.run(
                    "document.getElementById('token').value = '"
                            + TOKEN
                            + "'; document.querySelector('form[action=login]').requestSubmit()");
            await("the login", "!!document.querySelector('form[action=logout]')");
        }
    }

    @Test
    void everyTextCanBeReadAndEveryControlBeHitOnTelephonesAndScreensLightAndDark()
            throws Exception {
        assertEquals("", window.faults());
        logIn();
        for (int width : new int[] {1280, 800, 390, 320}) {
            for (String scheme : List.of("light", "dark")) {
                window.look(width, 900, scheme);
                assertEquals("", window.faults(), width + " " + scheme);
                Path picture = Project.target().resolve("console-" + width + "-" + scheme + ".png");
                Files.write(picture, window.picture());
            }
        }
        window.run("document.querySelectorAll('details').forEach(one => { one.open = true })");
        assertEquals("", window.faults(), "all open");
    }

    @Test
    void pageIsWholeWithoutScript() throws Exception {
        window.script(false);
        window.go(url("?find=number-7"));
        await("the row", "document.querySelectorAll('#contexts tbody tr').length === 1");

        assertTrue(is("document.getElementById('live').textContent === 'Reload for news.'"));
        assertTrue(is("document.querySelectorAll('svg').length === 2"));
        assertEquals("", window.faults());
    }

    @Test
    void sectionsAreRenewedButNotUnderTheFingersOfAnOperator() throws Exception {
        logIn();
        await("the events", "document.getElementById('live').textContent === 'Live.'");
        String act = "document.querySelector('#contexts details.act')";
        window.run(
                act + ".open = true; " + act + ".querySelector('input[name=text]').value = 'Soon'");
        try (ServingPeer _ = ServingPeer.echo(proxy.lrwpPort(), "fresh")) {
            String fresh = "document.getElementById('%s').textContent.includes('/fresh')";
            await("the new peer", fresh.formatted("peers"));
            await("the mark", "document.getElementById('contexts').hasAttribute('data-held')");
            assertFalse(is(fresh.formatted("contexts")));
            assertTrue(is(act + ".querySelector('input[name=text]').value === 'Soon'"));

            window.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))");

            assertTrue(is("document.activeElement === " + act + ".querySelector('summary')"));
            window.run("document.activeElement.blur()");
            await("the new context", fresh.formatted("contexts"));
            assertFalse(is("document.getElementById('contexts').hasAttribute('data-held')"));
        }
    }

    @Test
    void textThatIsSelectedStaysSoThatItCanBeCopied() throws Exception {
        await("the events", "document.getElementById('live').textContent === 'Live.'");
        window.run(
                "document.getSelection().selectAllChildren(document.querySelector('#peers td'))");
        try (ServingPeer _ = ServingPeer.echo(proxy.lrwpPort(), "later")) {
            await("the mark", "document.getElementById('peers').hasAttribute('data-held')");
            assertTrue(is("document.getSelection().toString().startsWith('127.0.0.1:')"));
        }
    }

    @Test
    void operatorPausesAndResumesWhatHeHasFound() throws Exception {
        logIn();
        window.go(url("?find=number-3"));
        String row = "document.querySelectorAll('#contexts tbody tr').length === 1 && ";
        await("the row", row + "!!document.querySelector('form[action=pause]')");
        window.run("document.querySelector('form[action=pause]').requestSubmit()");
        await("the pause", row + "!!document.querySelector('form[action=resume]')");
        assertTrue(is("document.querySelector('.message').textContent.includes('is paused.')"));
        assertTrue(is("location.search === '?find=number-3'"));
        window.run("document.querySelector('form[action=resume]').requestSubmit()");
        await("its end", row + "!!document.querySelector('form[action=pause]')");
    }
}
