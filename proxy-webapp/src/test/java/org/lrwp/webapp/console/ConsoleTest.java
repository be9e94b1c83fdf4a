package org.lrwp.webapp.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.webapp.steering.OperatedProxy.text;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.runtime.operation.Operators;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.steering.FakeNodes;
import org.lrwp.webapp.steering.OperatedProxy;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class ConsoleTest {
    private OperatedProxy proxy;
    private ServingPeer peer;

    @BeforeEach
    void setUp() throws Exception {
        proxy = new OperatedProxy(true);
        peer = ServingPeer.saying(proxy.engine().agentAddress().getPort(), "<b>\"osp", "\r\nhello");
        while (proxy.engine().status().peers().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void tearDown() throws Exception {
        peer.close();
        proxy.close();
    }

    private String logIn() throws Exception {
        OwnPages.Answer answer = proxy.console("POST", "login", "token=" + OperatedProxy.TOKEN);
        assertEquals(303, answer.status());
        String cookie = OperatedProxy.field(answer, "Set-Cookie");
        assertTrue(cookie.endsWith("; HttpOnly; SameSite=Strict"), cookie);
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private String form(String cookie) throws Exception {
        String page = text(proxy.console("GET", "", "", "Cookie", cookie));
        Matcher secret = Pattern.compile("name=\"form\" value=\"([^\"]+)\"").matcher(page);
        assertTrue(secret.find(), page);
        return secret.group(1);
    }

    @Test
    void pageIsWholeWithoutScriptAndEscapesWhatPeersSay() throws Exception {
        OwnPages.Answer answer = proxy.console("GET", "", "");
        String page = text(answer);

        assertEquals(200, answer.status());
        assertTrue(page.contains("/&lt;b&gt;&quot;osp"), page);
        assertFalse(page.contains("<b>"), page);
        assertTrue(page.contains("<svg"), page);
        assertTrue(page.contains("context.grace"), page);
        assertFalse(page.contains("action=\"drain\""), "it offers commands to a stranger");
        String policy = OperatedProxy.field(answer, "Content-Security-Policy");
        assertTrue(policy.startsWith("default-src 'none'; style-src 'self';"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        assertFalse(page.contains(" style="), "the policy forbids it");
        assertEquals(1, page.split("<script", -1).length - 1);
    }

    @Test
    void aPeerIsShownAndFoundByWhatItCallsItself() throws Exception {
        int port = proxy.engine().agentAddress().getPort();
        try (FramePeer named =
                FramePeer.dial(port).open("shop", "name=<i>&shop \u00e9", "capacity=1")) {
            named.requireAlive();
            String page = text(proxy.console("GET", "?find=%3Ci%3E%26SHOP", ""));

            String shown =
                    "<small title=\"what it calls itself\">&lt;i&gt;&amp;shop \u00e9</small>";
            assertTrue(page.contains(shown), page);
            assertTrue(page.contains("<h2>Peers <small>1 of 2</small></h2>"), page);
        }
    }

    @Test
    void whatTheDocumentationMarksAsCodeIsCode() throws Exception {
        String page = text(proxy.console("GET", "", ""));
        assertTrue(page.contains("refused with <code>ERROR: LRWP version not permitted</code>."));
        assertFalse(page.contains("`"), "a mark of its own");
    }

    @Test
    void pageSaysInItsTitleWhichNodeItIsOf() throws Exception {
        String page = text(proxy.console("GET", "", ""));

        assertTrue(page.contains("<title>a \u2013 LRWP proxy</title>"), page);
    }

    @Test
    void rowsThatAreLookedForAreShownAndCounted() throws Exception {
        String found = text(proxy.console("GET", "?find=%22OSP", ""));
        String none = text(proxy.console("GET", "?find=nowhere%3Cb%3E", ""));

        assertTrue(found.contains("/&lt;b&gt;&quot;osp"), found);
        assertTrue(found.contains("value=\"&quot;OSP\""), "the field keeps what was looked for");
        assertFalse(none.contains("/&lt;b&gt;&quot;osp"), none);
        assertTrue(none.contains("<h2>Contexts <small>0 of 1</small></h2>"), none);
        assertTrue(none.contains("No row has \u201cnowhere&lt;b&gt;\u201d."), none);
    }

    @Test
    void eventsHaveTheRowsThatAreLookedFor() throws Exception {
        var events = proxy.console("GET", "live?find=nowhere", "").events();
        assertNotNull(events);

        String event = new String(events.get(), StandardCharsets.UTF_8);

        assertTrue(event.contains("<h2>Contexts <small>0 of 1</small></h2>"), event);
    }

    @Test
    void commandKeepsWhatWasLookedForAndItsFailureLooksLikeOne() throws Exception {
        String cookie = logIn();
        String page = text(proxy.console("GET", "?find=osp", "", "Cookie", cookie));
        assertTrue(page.contains("<input type=\"hidden\" name=\"find\" value=\"osp\">"), page);

        OwnPages.Answer answer =
                proxy.console(
                        "POST",
                        "drain",
                        "form=" + form(cookie) + "&subject=nobody&find=a+%26b",
                        "Cookie",
                        cookie);

        assertEquals("./?find=a+%26b", OperatedProxy.field(answer, "Location"));
        String after = text(proxy.console("GET", "", "", "Cookie", cookie));
        String told = "<p class=\"message bad\" role=\"status\">There is no peer nobody.</p>";
        assertTrue(after.contains(told), after);
    }

    @Test
    void whatCannotBeTakenBackIsAskedOnceMore() throws Exception {
        String cookie = logIn();
        String page = text(proxy.console("GET", "", "", "Cookie", cookie));

        String act = "<details class=\"act\" name=\"act\"><summary aria-label=\"Disconnect ";
        int asking = page.indexOf(act);
        assertTrue(asking >= 0, page);
        int form = page.indexOf("action=\"disconnect\"");
        assertTrue(asking < form && form < page.indexOf("</details>", asking), page);
    }

    @Test
    void navigationLeadsToEachSection() throws Exception {
        String page = text(proxy.console("GET", "", ""));

        Matcher link = Pattern.compile("<a href=\"#([a-z]+)\">").matcher(page);
        int links = 0;
        while (link.find()) {
            assertTrue(page.contains("<section id=\"" + link.group(1) + "\""), link.group(1));
            links++;
        }
        assertEquals(Section.values().length, links);
    }

    @Test
    void pageShowsTheNodesOfTheCluster() throws Exception {
        String page = text(proxy.console("GET", "", ""));

        assertTrue(page.contains("works alone: the connection has &lt;ended&gt;"), page);
        assertTrue(page.contains(">silent</span>"), page);
    }

    @Test
    void operatorDrainsNodesAndPeersOfTheCluster() throws Exception {
        var nodes = new FakeNodes();
        nodes.add("b").completeAsync(() -> 3);
        proxy.use(nodes);
        String stranger = text(proxy.console("GET", "", ""));
        assertFalse(stranger.contains("drain-node"), stranger);
        String cookie = logIn();
        String form = "form=" + form(cookie);
        assertTrue(page(cookie).contains("action=\"drain-node\""), "no button");

        proxy.console("POST", "drain-node", form + "&subject=a", "Cookie", cookie);
        assertTrue(proxy.engine().isDrained());
        assertTrue(page(cookie).contains("The node a is drained"));
        proxy.console("POST", "resume-node", form + "&subject=", "Cookie", cookie);
        assertFalse(proxy.engine().isDrained());

        proxy.console("POST", "drain-peers", form + "&subject=%3Cb%3E", "Cookie", cookie);
        String page = page(cookie);
        assertTrue(page.contains("&lt;b&gt; gets no new requests (connections: 3 at b)."), page);
        assertTrue(page.contains("action=\"resume-peers\""), page);
        proxy.console("POST", "resume-peers", form + "&subject=%3Cb%3E", "Cookie", cookie);
        assertEquals(List.of(), proxy.engine().status().drainedPeers());
    }

    private String page(String cookie) throws Exception {
        return text(proxy.console("GET", "", "", "Cookie", cookie));
    }

    @Test
    void operatorLogsInActsAndLogsOut() throws Exception {
        String cookie = logIn();
        String form = form(cookie);
        String context = "&context=%2F%3Cb%3E%22osp";

        OwnPages.Answer paused =
                proxy.console(
                        "POST", "pause", "form=" + form + context + "&text=Soon", "Cookie", cookie);

        assertEquals(303, paused.status());
        assertEquals("./", OperatedProxy.field(paused, "Location"));
        String page = text(proxy.console("GET", "", "", "Cookie", cookie));
        assertTrue(page.contains("is paused."), page);
        assertTrue(page.contains("action=\"resume\""), page);
        proxy.console("POST", "resume", "form=" + form + context, "Cookie", cookie);
        proxy.console(
                "POST",
                "set",
                "form=" + form + "&subject=context.grace&value=9s",
                "Cookie",
                cookie);
        assertTrue(
                text(proxy.console("GET", "", "", "Cookie", cookie)).contains("<code>9s</code>"));
        proxy.console("POST", "logout", "form=" + form, "Cookie", cookie);
        OwnPages.Answer late =
                proxy.console("POST", "pause", "form=" + form + context, "Cookie", cookie);
        assertEquals(403, late.status());
    }

    @Test
    void inspectorIsShownToOperatorsWithAFormThatRepeats() throws Exception {
        proxy.act("PUT", "configuration/context.inspect", "{\"value\":\"2\"}");
        var from = new ClientConnection(InetAddress.getLoopbackAddress(), 1, "here", 80, false);
        var head = new RequestHead.Draft("GET", "/gone/<i>", "HTTP/1.0", from).check();
        var origin = new Inspection.Origin("kept-1", "/gone", "", "/gone/<i>", "");
        Inspection one = proxy.inspector().begin(origin, head);
        assertNotNull(one);
        proxy.inspector()
                .ended(
                        new ExchangeRecord(
                                "kept-1",
                                "::1",
                                "GET",
                                () -> "/gone",
                                "/gone",
                                "p",
                                "",
                                200,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                "edge",
                                "",
                                "answered",
                                RequestDetails.NONE));

        String stranger = text(proxy.console("GET", "", ""));
        assertFalse(stranger.contains("kept-1"), stranger);
        assertTrue(stranger.contains("Only those who have logged in"), stranger);
        String cookie = logIn();
        String page = text(proxy.console("GET", "", "", "Cookie", cookie));
        assertTrue(page.contains("/gone<wbr>/&lt;i&gt;"), page);
        assertTrue(page.contains("action=\"repeat\""), page);
        proxy.console(
                "POST", "repeat", "form=" + form(cookie) + "&subject=kept-1", "Cookie", cookie);
        String after = text(proxy.console("GET", "", "", "Cookie", cookie));
        assertTrue(after.contains("Nobody serves it any more."), after);
    }

    @Test
    void formsOfStrangersAreRefused() throws Exception {
        String cookie = logIn();
        String context = "&context=%2F%3Cb%3E%22osp";

        assertEquals(403, proxy.console("POST", "pause", "x=y" + context).status());
        assertEquals(
                403, proxy.console("POST", "pause", "form=z" + context, "Cookie", cookie).status());
        assertEquals(
                403,
                proxy.console(
                                "POST",
                                "pause",
                                "form=" + form(cookie) + context,
                                "Cookie",
                                cookie,
                                "Origin",
                                "http://evil.test")
                        .status());
        assertEquals(null, proxy.engine().status().contexts().getFirst().paused());
        assertEquals(405, proxy.console("GET", "pause", "").status());
    }

    @Test
    void wrongTokenCostsTime() throws Exception {
        OwnPages.Answer answer = proxy.console("POST", "login", "token=wrong");

        assertEquals(403, answer.status());
        assertEquals(Operators.PENALTY, answer.delay());
        assertTrue(text(answer).contains("The token is wrong."));
        assertEquals("refused", proxy.audited().getLast().word());
    }

    @Test
    void eventsHaveTheMovingParts() throws Exception {
        OwnPages.Answer answer = proxy.console("GET", "live", "");

        assertEquals("text/event-stream", OperatedProxy.field(answer, "Content-Type"));
        var events = answer.events();
        assertTrue(events != null);
        String event = new String(events.get(), StandardCharsets.UTF_8);
        assertTrue(event.startsWith("data: <section id=\"summary\""), event);
        assertTrue(event.endsWith("</section>\n\n"), event);
        assertEquals(2, event.split("\n", -1).length - 1, "an event is one line");
    }
}
