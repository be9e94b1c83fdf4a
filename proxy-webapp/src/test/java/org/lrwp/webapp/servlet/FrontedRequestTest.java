package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.webapp.servlet.ClientFixture.append;
import static org.lrwp.webapp.servlet.ClientFixture.head;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.spool.Spool;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.client.ActiveRequest;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.WebappConfig;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Requests that something in front of their context answers, or passes on later. */
class FrontedRequestTest {
    private static final String CACHED =
            "Content-Type: text/plain\r\nCache-Control: max-age=60\r\n\r\nhello";

    @TempDir private Path folder;
    private ClientFixture one;

    @BeforeEach
    void setUp() throws IOException {
        one = new ClientFixture(folder);
    }

    @AfterEach
    void tearDown() {
        one.close();
    }

    private ActiveRequest client() {
        var client = one.client(0);
        client.frontedBy(own -> own.by("/c", null));
        one.start(client);
        return client;
    }

    private ActiveRequest goneClient() throws IOException {
        when(one.request.getInputStream()).thenThrow(new IOException("gone"));
        var client = one.client(5);
        client.frontedBy(own -> own.by("/c", null));
        one.start(client);
        assertTrue(one.isOver());
        return client;
    }

    private Spool spool(String text) {
        Spool spool = one.spool();
        append(spool, text);
        return spool;
    }

    private ExchangeRecord line() {
        assertEquals(1, one.log.size(), one.log.toString());
        return one.log.getFirst();
    }

    @Test
    void anAnswerOfTheFrontHasOneLine() {
        Spool spool = spool("abc");
        spool.complete();

        client().answerAlone(head(3), spool, "cache-hit");

        assertEquals("abc", one.out.text());
        assertEquals("cache-hit", line().reason());
        assertEquals("hit", line().cache());
        assertEquals("/c", line().context());
        assertEquals(3, line().answerBytes());
        assertEquals(0, one.spooled());
    }

    @Test
    void aBrokenAnswerOfTheFrontHasOneLineToo() {
        Spool spool = spool("abc");
        client().answerAlone(head(9), spool, "cache-miss");
        spool.breakOff();

        assertTrue(one.isOver());
        assertEquals("peer-gone", line().reason());
        assertEquals(0, one.spooled());
    }

    @Test
    void aRefusalOfTheFrontHasOneLine() {
        client().fail(Failure.PEER_TIMEOUT);

        assertEquals(504, one.status);
        assertEquals("peer-timeout", line().reason());
        assertEquals("/c", line().context());
    }

    @Test
    void whatComesForAClientThatHasLeftIsGivenBack() throws IOException {
        var client = goneClient();
        assertEquals("client-gone", line().reason());

        client.answerAlone(head(3), spool("abc"), "cache-hit");

        assertEquals(0, one.spooled());
        assertEquals(1, one.log.size());
    }

    @Test
    void anExchangeForAClientThatHasLeftEnds() throws IOException {
        var client = goneClient();
        Exchange late = mock(Exchange.class);

        client.attach(() -> late);

        verify(late).clientGone(Failure.CLIENT_GONE);
    }

    @Test
    void anExchangeThatEndsAtOnceTellsItsOwnEnd() {
        var client = client();

        client.attach(
                () -> {
                    client.fail(Failure.QUEUE_FULL);
                    return mock(Exchange.class);
                });

        assertEquals(503, one.status);
        assertTrue(one.log.isEmpty());
    }

    private WebappConfig config() throws Exception {
        return ConfigReader.read(
                Map.of(),
                Map.of(
                        "lrwp.agent.port",
                        "0",
                        "lrwp.agent.lrwp1-settle",
                        "0",
                        "lrwp.cache.file",
                        folder.resolve("cache").toString(),
                        "lrwp.cache.size",
                        "4MiB",
                        "lrwp.context.cache",
                        "true"),
                null,
                "1");
    }

    @Test
    void aMissHasOneLineThatNamesItsPeerAndAHitHasOneThatNamesNone() throws Exception {
        WebappConfig config = config();
        var cache = config.cache();
        assertNotNull(cache);
        try (var two = new ClientFixture(folder);
                ProxyEngine engine = ProxyEngine.start(config.engine(), one.log::add)) {
            engine.openCache(cache, head -> false);
            var servlet =
                    new ProxyServlet(
                            engine,
                            request -> request.equals(one.request) ? one.link : two.link,
                            one.settings,
                            question -> OwnPages.Answer.error(404),
                            new RequestIds(1));
            FakeRequest.of(one.request, "GET", "/osp/x", "");
            FakeRequest.of(two.request, "GET", "/osp/x", "");
            var complete = new CountDownLatch(1);
            doAnswer(
                            call -> {
                                complete.countDown();
                                return null;
                            })
                    .when(one.async)
                    .complete();
            try (var peer = ServingPeer.saying(engine.agentAddress().getPort(), "osp", CACHED)) {
                servlet.service(one.request, one.response);
                complete.await();
                servlet.service(two.request, two.response);

                assertEquals("hello", one.out.text());
                assertEquals("hello", two.out.text());
                assertEquals(1, peer.seen().size());
            }
        }
        assertEquals(2, one.log.size(), one.log.toString());
        ExchangeRecord miss = one.log.getFirst();
        assertEquals("cache-miss", miss.reason());
        assertFalse(miss.peer().isEmpty());
        assertTrue(miss.peerNanos() > 0);
        ExchangeRecord hit = one.log.get(1);
        assertEquals("cache-hit", hit.reason());
        assertEquals("/osp", hit.context());
        assertTrue(hit.peer().isEmpty());
    }
}
