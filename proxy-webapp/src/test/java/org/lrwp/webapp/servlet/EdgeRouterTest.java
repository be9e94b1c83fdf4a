package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doAnswer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.edge.EdgeRouter;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What is taken before the servlet container, and what is left to the servlet. */
class EdgeRouterTest {
    @TempDir private Path folder;
    private ClientFixture one;
    private ProxyEngine engine;
    private EdgeRouter router;
    private ServingPeer peer;

    @BeforeEach
    void setUp() throws Exception {
        one = new ClientFixture(folder);
        var system = Map.of("lrwp.agent.port", "0", "lrwp.agent.lrwp1-settle", "0");
        var config = ConfigReader.read(Map.of(), system, null, "1");
        engine = ProxyEngine.start(config.engine(), one.log::add);
        peer =
                ServingPeer.saying(
                        engine.agentAddress().getPort(),
                        "osp",
                        "Content-Type: text/plain\r\n\r\nhello");
        router = router(true);
    }

    @AfterEach
    void tearDown() throws Exception {
        peer.close();
        engine.close();
        one.close();
    }

    private static RequestHead get(String target) throws BadRequestException {
        return get(target, "short");
    }

    private static RequestHead get(String target, String value) throws BadRequestException {
        InetAddress here = InetAddress.getLoopbackAddress();
        var ends = new ClientConnection(here, 1, here.getHostAddress(), 2, false);
        return new RequestHead.Draft("GET", target, "HTTP/1.1", ends)
                .field("Host", "localhost")
                .field("X-Value", value)
                .check();
    }

    private EdgeRouter router(boolean answers) {
        var place =
                new EdgeRouter.Place(
                        "/app",
                        answers,
                        (_, _, path) -> path.startsWith("/app/osp/shop"),
                        path -> !path.equals("/nothing"));
        OwnPages pages = question -> OwnPages.Answer.of(200, "text/plain", new byte[] {'p'});
        return new EdgeRouter(engine, place, one.settings, pages, new RequestIds(1));
    }

    private boolean isHere(String target) throws BadRequestException {
        return router.route(get(target)).isHere();
    }

    @Test
    void aRequestForAPeerGetsItsAnswerAndItsLine() throws Exception {
        var complete = new CountDownLatch(1);
        doAnswer(
                        call -> {
                            complete.countDown();
                            return null;
                        })
                .when(one.async)
                .complete();

        RequestHead head = get("/app/osp/x");
        router.take(router.route(head), head, one.stream());

        complete.await();
        assertEquals("hello", one.out.text());
        assertTrue(peer.take().contains("PATH_INFO=/x"));
        assertEquals("127.0.0.1", one.log.getFirst().client());
        assertEquals("/app/osp/x", one.log.getFirst().target());
    }

    @Test
    void whatIsForNoPeerIsTheContainers() throws Exception {
        assertTrue(isHere("/app/osp/x"));
        assertFalse(isHere("/app/other"));
        assertFalse(isHere("/osp/x"));
        assertTrue(isHere("/app/-/status"));
        assertTrue(isHere("/app/nothing"));
        assertFalse(isHere("/nothing"));
        assertFalse(isHere("/-/status"));
        assertFalse(isHere("/app/osp/shop/x"));
    }

    @Test
    void withTheServletNothingIsAnsweredHere() throws Exception {
        router = router(false);

        assertFalse(isHere("/app/osp/x"));
        assertFalse(isHere("/app/-/status"));
        assertFalse(isHere("/app/nothing"));
        assertTrue(router.route(get("/app/osp/x")).isForPeer());
        assertFalse(router.route(get("/app/other")).isForPeer());
    }

    @Test
    void aDrainingProxyRefuses() throws Exception {
        engine.drain(Duration.ZERO);
        RequestHead head = get("/app/osp/x");

        router.take(router.route(head), head, one.stream());

        assertTrue(one.out.text().contains("draining"), one.out.text());
        assertTrue(one.link.ended);
    }
}
