package org.lrwp.webapp.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.testkit.ReceivedSpan;
import org.lrwp.testkit.TraceCollector;
import org.lrwp.webapp.config.TracesConfig;
import org.lrwp.webapp.config.TracesConfig.Continued;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/** Spans of requests, as a collector gets them, and the context that is passed on. */
class TracesTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String SAMPLED = "00-" + TRACE + "-" + SPAN + "-01";
    private static final String UNSAMPLED = "00-" + TRACE + "-" + SPAN + "-00";

    private final TraceCollector collector = new TraceCollector();
    private volatile double ratio = 1;
    private volatile Continued continued = Continued.ALL;

    @AfterEach
    void tearDown() {
        collector.close();
    }

    private Traces start() {
        return start(collector.url());
    }

    private Traces start(URI to) {
        return Traces.start(
                () ->
                        new TracesConfig(
                                to,
                                null,
                                "front",
                                ratio,
                                continued,
                                4,
                                2,
                                Duration.ofMillis(10),
                                Duration.ofSeconds(5)),
                head -> head.first("X-Trusted") != null,
                "1.2",
                "the-token");
    }

    private static RequestHead head(String... fields) throws Exception {
        var ends =
                new ClientConnection(InetAddress.getLoopbackAddress(), 1, "127.0.0.1", 80, false);
        var draft =
                new RequestHead.Draft("GET", "/osp/x?secret=1", "HTTP/1.1", ends)
                        .field("Host", "here");
        for (String field : fields) {
            int colon = field.indexOf(':');
            draft.field(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        return draft.check();
    }

    private static ExchangeRecord record(int status, String reason) {
        return new ExchangeRecord(
                "id-1",
                "192.0.2.1",
                "GET",
                () -> "/osp/x",
                "/osp",
                "p:1",
                "billing",
                status,
                1,
                2,
                3,
                4,
                5,
                6,
                1,
                "edge",
                "",
                reason,
                RequestDetails.NONE);
    }

    private ReceivedSpan sent(Traces traces, RequestTrace trace, ExchangeRecord record)
            throws Exception {
        trace.ended(record);
        traces.close();
        return collector.await(1, SOON).getFirst();
    }

    /** The lowest bit of the flags; another one may say that the id is random. */
    private static boolean isSampled(RequestTrace trace) {
        String parent = trace.parent();
        return (HexFormat.fromHexDigits(parent, parent.length() - 2, parent.length()) & 1) == 1;
    }

    @Test
    void aSpanContinuesTheClientsTraceAndThePeerGetsTheSpanAsItsParent() throws Exception {
        Traces traces = start();
        RequestTrace trace = traces.follow(head("traceparent: " + SAMPLED, "tracestate: a=1,b=2"));

        ReceivedSpan span = sent(traces, trace, record(200, "answered"));

        assertEquals(TRACE, span.trace());
        assertEquals(SPAN, span.parent());
        assertEquals("a=1,b=2", span.state());
        assertEquals(TRACE, trace.id());
        assertEquals("00-" + TRACE + "-" + span.id() + "-01", trace.parent());
        assertEquals("a=1,b=2", trace.state());
    }

    @Test
    void aSpanSaysWhatBecameOfTheRequestAndNothingOfItsQuery() throws Exception {
        Traces traces = start();
        RequestTrace trace = traces.follow(head());
        trace.queued();
        trace.retried(Failure.PEER_GONE);
        trace.firstByte();
        trace.answered();

        ReceivedSpan span = sent(traces, trace, record(200, "answered"));

        assertEquals("front", span.service());
        assertEquals("Bearer the-token", collector.authorization());
        assertEquals("GET /osp", span.name());
        assertEquals("200", span.attributes().get("http.response.status_code"));
        assertEquals("/osp", span.attributes().get("http.route"));
        assertEquals("p:1", span.attributes().get("lrwp.peer"));
        assertEquals("billing", span.attributes().get("lrwp.identity"));
        assertEquals("1", span.attributes().get("lrwp.retries"));
        assertEquals("id-1", span.attributes().get("lrwp.request"));
        assertFalse(span.toString().contains("secret"), span.toString());
        assertFalse(span.failed());
        assertEquals("", span.parent());
        assertEquals(List.of("queued", "retried", "first-byte", "done"), span.eventNames());
        assertEquals("peer-gone", span.events().get(1).attributes().get("lrwp.reason"));
        long before = span.start();
        for (ReceivedSpan.Event event : span.events()) {
            assertTrue(event.time() >= before, span.toString());
            before = event.time();
        }
        assertTrue(span.end() >= before, span.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"502 peer-gone", "200 short-answer", "0 client-gone"})
    void whatFailedIsAnError(String what) throws Exception {
        Traces traces = start();
        String[] words = what.split(" ", 2);

        ReceivedSpan span =
                sent(traces, traces.follow(head()), record(Integer.parseInt(words[0]), words[1]));

        assertTrue(span.failed());
        assertEquals(words[1], span.attributes().get("error.type"));
    }

    @Test
    void whatTheClientHasNotSampledIsPassedOnAndNotSent() throws Exception {
        Traces traces = start();
        RequestTrace quiet = traces.follow(head("traceparent: " + UNSAMPLED));
        quiet.queued();
        quiet.ended(record(200, "answered"));
        RequestTrace loud = traces.follow(head("traceparent: " + SAMPLED));

        ReceivedSpan only = sent(traces, loud, record(200, "answered"));

        assertEquals(1, collector.await(1, SOON).size());
        assertTrue(loud.parent().contains(only.id()), loud.parent());
        assertEquals(TRACE, quiet.id());
        assertTrue(quiet.parent().startsWith("00-" + TRACE + "-"), quiet.parent());
        assertFalse(isSampled(quiet), quiet.parent());
        assertFalse(quiet.parent().contains(SPAN), quiet.parent());
    }

    @Test
    void theShareOfTracesThatBeginHereMayChangeWhileItRuns() throws Exception {
        ratio = 0;
        Traces traces = start();
        RequestTrace without = traces.follow(head());
        without.ended(record(200, "answered"));
        assertFalse(isSampled(without), without.parent());
        ratio = 1;
        RequestTrace with = traces.follow(head());

        ReceivedSpan only = sent(traces, with, record(200, "answered"));

        assertEquals(with.id(), only.trace());
        assertEquals(1, collector.await(1, SOON).size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01-more",
                "nonsense"
            })
    void aBrokenTraceparentBeginsATraceAnew(String value) throws Exception {
        try (Traces traces = start()) {
            RequestTrace trace = traces.follow(head("traceparent: " + value, "tracestate: a=1"));

            assertNotEquals(TRACE, trace.id());
            assertEquals(32, trace.id().length());
            assertEquals("", trace.state());
        }
    }

    @Test
    void twoTraceparentsAreNone() throws Exception {
        try (Traces traces = start()) {
            String field = "traceparent: " + SAMPLED;

            assertNotEquals(TRACE, traces.follow(head(field, field)).id());
        }
    }

    @Test
    void severalTracestatesAreOneAndABrokenOneGoesNoFurther() throws Exception {
        try (Traces traces = start()) {
            String parent = "traceparent: " + SAMPLED;

            assertEquals(
                    "a=1,b=2",
                    traces.follow(head(parent, "tracestate: a=1", "tracestate: b=2")).state());
            assertEquals("", traces.follow(head(parent, "tracestate: =broken")).state());
        }
    }

    @Test
    void whoseTraceGoesOnIsAMatterOfConfiguration() throws Exception {
        try (Traces traces = start()) {
            RequestHead stranger = head("traceparent: " + SAMPLED);
            RequestHead proxy = head("traceparent: " + SAMPLED, "X-Trusted: 1");
            continued = Continued.TRUSTED;
            assertNotEquals(TRACE, traces.follow(stranger).id());
            assertEquals(TRACE, traces.follow(proxy).id());
            continued = Continued.NONE;
            assertNotEquals(TRACE, traces.follow(proxy).id());
        }
    }

    @Test
    void aCollectorThatIsNotThereHoldsNothingUp() throws Exception {
        URI nobody = collector.url();
        collector.close();
        Traces traces = start(nobody);
        for (int i = 0; i < 100; i++) {
            traces.follow(head()).ended(record(200, "answered"));
        }
        traces.close();

        TraceStatus status = traces.status();
        assertTrue(status.dropped() >= 90, status.toString());
        assertEquals(0, status.sent());
    }

    @Test
    void nobodyFollowsWhileTracesAreOff() throws Exception {
        RequestHead head = head("traceparent: " + SAMPLED);

        RequestTrace trace = RequestFollower.NOBODY.follow(head);

        assertSame(RequestTrace.NONE, trace);
        assertSame(head, trace.on(head));
        assertEquals("", trace.parent());
    }
}
