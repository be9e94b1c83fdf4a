package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.config.ConfigReader;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

class ProxyServletTest {
    private static final String HELLO = "Content-Type: text/plain\r\n\r\nhello";

    private final ServletContext context = mock(ServletContext.class);
    private final CountDownLatch complete = new CountDownLatch(1);
    private ClientFixture one;
    private ProxyEngine engine;
    private ProxyServlet servlet;

    @BeforeEach
    void setUp(@TempDir Path folder) throws Exception {
        one = new ClientFixture(folder);
        doAnswer(
                        call -> {
                            one.completed++;
                            complete.countDown();
                            return null;
                        })
                .when(one.async)
                .complete();
        var config =
                ConfigReader.read(
                        Map.of(),
                        Map.of("lrwp.agent.port", "0", "lrwp.agent.lrwp1-settle", "0"),
                        null,
                        "1");
        engine = ProxyEngine.start(config.engine(), one.log::add);
        OwnPages pages =
                question ->
                        question.path().equals("/-/here")
                                ? OwnPages.Answer.of(
                                        200, "text/plain", "here".getBytes(StandardCharsets.UTF_8))
                                : OwnPages.Answer.error(404);
        servlet =
                new ProxyServlet(
                        engine, request -> one.link, one.settings, pages, new RequestIds(1));
        ServletConfig servletConfig = mock(ServletConfig.class);
        when(servletConfig.getServletContext()).thenReturn(context);
        servlet.init(servletConfig);
        when(context.getResourcePaths(anyString())).thenReturn(Set.of());
        RequestDispatcher files = mock(RequestDispatcher.class);
        when(context.getNamedDispatcher("default")).thenReturn(files);
        doAnswer(call -> one.header("x")).when(files).forward(any(), any());
    }

    @AfterEach
    void tearDown() {
        engine.close();
        one.close();
    }

    private void serve() throws Exception {
        servlet.service(one.request, one.response);
    }

    @Test
    void requestOfAContextIsAnsweredByItsPeer() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp/x", "a=1");
        try (var peer = ServingPeer.saying(engine.agentAddress().getPort(), "osp", HELLO)) {
            serve();
            complete.await();

            assertEquals("hello", one.out.text());
            assertEquals("5", one.header("Content-Length"));
            String env = peer.take();
            assertTrue(env.contains("SCRIPT_NAME=/osp\nPATH_INFO=/x\n"), env);
            Pattern id =
                    Pattern.compile("^HTTP_X_REQUEST_ID=00000001-[0-9a-f]+$", Pattern.MULTILINE);
            assertTrue(id.matcher(env).find(), env);
        }
    }

    @Test
    void requestThatATrustedProxySendsIsItsClients() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp/x", "")
                .with("Forwarded", "for=198.51.100.1, for=\"192.0.2.7:4711\";proto=https");
        try (var peer = ServingPeer.saying(engine.agentAddress().getPort(), "osp", HELLO)) {
            serve();
            complete.await();

            String env = peer.take();
            assertTrue(env.contains("REMOTE_ADDR=192.0.2.7\nREMOTE_PORT=4711\nHTTPS=on\n"), env);
            assertTrue(env.contains("\nLRWP_FORWARDED=1\n"), env);
            assertEquals("192.0.2.7", one.log.getFirst().client());
        }
    }

    @Test
    void clientThatAProxyHeaderHasNamedIsKnownToTheServletToo() throws Exception {
        var socket =
                new ClientConnection(
                        InetAddress.getLoopbackAddress(), 4000, "127.0.0.1", 8080, false);
        one.link.ends =
                socket.relayedFor(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 4711));
        FakeRequest.of(one.request, "GET", "/osp/x", "");
        try (var peer = ServingPeer.saying(engine.agentAddress().getPort(), "osp", HELLO)) {
            serve();
            complete.await();

            String env = peer.take();
            assertTrue(env.contains("REMOTE_ADDR=192.0.2.7\nREMOTE_PORT=4711\n"), env);
            assertTrue(env.contains("\nLRWP_FORWARDED=1\n"), env);
        }
    }

    @Test
    void proxyThatGoesDownSendsEverybodyElsewhere() throws Exception {
        engine.drain(Duration.ZERO);
        FakeRequest.of(one.request, "GET", "/file.html", "");

        serve();

        assertEquals(503, one.status);
        assertEquals("close", one.header("Connection"));
        assertTrue(one.out.text().startsWith("503 draining: "), one.out.text());
    }

    @Test
    void proxyThatGoesDownStillShowsItsOwnPages() throws Exception {
        engine.drain(Duration.ZERO);
        FakeRequest.of(one.request, "GET", "/-/here", "");

        serve();

        assertEquals("here", one.out.text());
    }

    @Test
    void brokenTargetIsLoggedAsItWasSent() throws Exception {
        FakeRequest.of(one.request, "GET", "/-/bad-target", "");
        one.link.replaced = "/a%2";

        serve();

        assertEquals(400, one.status);
        assertEquals("/a%2", one.log.getFirst().target());
    }

    @Test
    void bodyReachesThePeerWhole() throws Exception {
        FakeRequest.of(one.request, "POST", "/osp", "").with("Content-Length", "5");
        try (var peer = ServingPeer.saying(engine.agentAddress().getPort(), "osp", HELLO)) {
            serve();
            one.in.arrive("ab");
            one.in.arrive("cde");
            one.in.end();
            complete.await();

            assertEquals("hello", one.out.text());
            assertTrue(peer.take().endsWith("\nabcde"));
        }
    }

    @Test
    void clientThatLeavesInMidBodyEndsItsExchange() throws Exception {
        FakeRequest.of(one.request, "POST", "/osp", "").with("Content-Length", "5");
        try (var peer = ServingPeer.saying(engine.agentAddress().getPort(), "osp", HELLO)) {
            serve();
            one.in.arrive("ab");
            one.in.breakOff();
            complete.await();

            assertTrue(engine.status().exchanges().isEmpty());
            assertTrue(peer.seen().isEmpty());
            assertEquals("client-gone", one.log.getFirst().reason());
        }
    }

    @Test
    void bodyThatIsTooLargeIsRefusedAtOnce() throws Exception {
        FakeRequest.of(one.request, "POST", "/osp", "").with("Content-Length", "1000000000");
        try (var peer = ServingPeer.saying(engine.agentAddress().getPort(), "osp", HELLO)) {
            serve();

            assertEquals(413, one.status);
            assertEquals("close", one.header("Connection"));
            assertTrue(peer.seen().isEmpty());
        }
    }

    @Test
    void whatNoContextServesGoesToTheDefaultServlet() throws Exception {
        FakeRequest.of(one.request, "GET", "/file", "");

        serve();

        assertEquals("default-servlet", one.log.getFirst().reason());
        assertEquals("/file", one.log.getFirst().target());
    }

    @Test
    void atAHostOfTheProxysOwnThereIsNothingElse() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp/x", "").at("Console.test:81");
        try (ServingPeer _ = ServingPeer.saying(engine.agentAddress().getPort(), "osp", HELLO)) {
            serve();

            assertEquals(404, one.status);
            assertEquals("not-found", one.log.getFirst().reason());
        }
    }

    @Test
    void headOfAnErrorHasNoBytesInTheLog() throws Exception {
        FakeRequest.of(one.request, "HEAD", "/osp/a%00b", "");

        serve();

        assertEquals(400, one.status);
        assertEquals(0, one.out.size());
        assertEquals(0, one.log.getFirst().answerBytes());
    }

    @Test
    void fallbackWithABodyIsDispatchedFirst() throws Exception {
        FakeRequest.of(one.request, "POST", "/file", "").with("Content-Length", "5");
        Object[] kept = new Object[1];
        doAnswer(call -> kept[0] = call.getArgument(1))
                .when(one.request)
                .setAttribute(anyString(), any());

        serve();
        assertEquals(1, one.dispatched);
        assertTrue(one.log.isEmpty());
        when(one.request.getAttribute("org.lrwp.visit")).thenReturn(kept[0]);
        serve();

        assertEquals("default-servlet", one.log.getFirst().reason());
    }

    @Test
    void requestThatWasDispatchedToBeCompletedIsLeftAlone() throws Exception {
        when(one.request.getAttribute(ServletStream.DONE)).thenReturn(true);

        serve();

        assertEquals(0, one.out.size());
        assertTrue(one.link.events.isEmpty());
    }

    @Test
    void requestBehindTheLastAnswerIsNotDone() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp", "");
        one.link.ended = true;

        serve();

        assertEquals(503, one.status);
        assertTrue(one.log.isEmpty());
    }

    @Test
    void badRequestEndsTheConnection() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp", "").with("Host", "other");

        serve();

        assertEquals(400, one.status);
        assertEquals("close", one.header("Connection"));
        assertTrue(one.link.ended);
        assertEquals("bad-request", one.log.getFirst().reason());
    }

    @Test
    void targetThatTheGuardReplacedIsABadRequest() throws Exception {
        String target = ProxyServlet.safeTarget("/app", "/app/a%2fb");
        assertEquals("/app/-/bad-target", target);
        FakeRequest.of(one.request, "GET", target, "");
        when(one.request.getContextPath()).thenReturn("/app");

        serve();

        assertEquals(400, one.status);
    }

    @Test
    void guardLeavesGoodAndForeignTargetsAlone() {
        assertEquals("/a%20b", ProxyServlet.safeTarget("", "/a%20b"));
        assertEquals("/other/a%2fb", ProxyServlet.safeTarget("/app", "/other/a%2fb"));
        assertEquals("/-/bad-target", ProxyServlet.safeTarget("", "/a%00"));
        assertEquals("/app/a/../", ProxyServlet.safeTarget("/app", "/app/a/.."));
        assertEquals("/./", ProxyServlet.safeTarget("", "/."));
        assertEquals("/%2e/", ProxyServlet.safeTarget("", "/%2e"));
        assertEquals("/a..", ProxyServlet.safeTarget("", "/a.."));
    }

    @Test
    void upgradeWithABodyIsABadRequest() throws Exception {
        FakeRequest.of(one.request, "POST", "/osp", "")
                .with("Upgrade", "foo")
                .with("Content-Length", "5");

        serve();

        assertEquals(400, one.status);
    }

    @Test
    void headAboveItsLimitIsRefused() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp", "").with("X", "x".repeat(5000));

        serve();

        assertEquals(431, one.status);
    }

    @Test
    void ownPagesAreAnsweredWithoutThePeers() throws Exception {
        FakeRequest.of(one.request, "GET", "/-/here", "").with("Connection", "close");

        serve();

        assertEquals("here", one.out.text());
        assertEquals("4", one.header("Content-Length"));
        assertTrue(one.link.ended);
    }

    @Test
    void ownPagesThatAreNotThereAreNotFound() throws Exception {
        FakeRequest.of(one.request, "GET", "/-", "");

        serve();

        assertEquals(404, one.status);
        assertFalse(one.link.ended);
    }

    @Test
    void ownPageGetsItsBodyWhenItIsWhole() throws Exception {
        FakeRequest.of(one.request, "POST", "/-/here", "").with("Content-Length", "4");

        serve();
        one.in.arrive("ab");
        assertEquals("", one.out.text());
        one.in.arrive("cd");
        one.in.end();
        complete.await();

        assertEquals("here", one.out.text());
    }

    @Test
    void ownPageWhoseBodyDoesNotComeIsCut() throws Exception {
        FakeRequest.of(one.request, "POST", "/-/here", "").with("Content-Length", "4");

        serve();
        one.in.arrive("ab");
        one.passSeconds(11);

        assertTrue(one.isOver());
        assertEquals("", one.out.text());
    }

    @Test
    void ownPageWithALargeBodyIsRefused() throws Exception {
        FakeRequest.of(one.request, "POST", "/-/here", "").with("Content-Length", "65537");

        serve();

        assertEquals(413, one.status);
    }

    @Test
    void errorsOfTheContainerAreOurs() throws Exception {
        FakeRequest.of(one.request, "GET", "/WEB-INF/x", "");
        when(one.request.getDispatcherType()).thenReturn(DispatcherType.ERROR);
        when(one.request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE)).thenReturn(403, "none");

        serve();
        assertEquals(403, one.status);
        serve();
        assertEquals(404, one.status);
    }

    @Test
    void errorPageInAnAnswerThatHasBegunIsNoRequest() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp/x", "");
        when(one.request.getDispatcherType()).thenReturn(DispatcherType.INCLUDE);
        when(one.request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE)).thenReturn(500);
        when(one.response.isCommitted()).thenReturn(true);

        serve();

        assertEquals(0, one.out.size());
        assertTrue(one.log.isEmpty());
    }

    @Test
    void requestWhoseClientHasNoAddressIsRefused() throws Exception {
        FakeRequest.of(one.request, "GET", "/osp", "");
        when(one.request.getRemoteAddr()).thenReturn("not an address");

        serve();

        assertEquals(400, one.status);
    }
}
