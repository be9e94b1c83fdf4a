package org.lrwp.webapp.steering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.webapp.steering.OperatedProxy.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.runtime.operation.Operators;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.inspector.Inspection;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

class ApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private OperatedProxy proxy;
    private ServingPeer peer;

    @BeforeEach
    void setUp() throws Exception {
        proxy = new OperatedProxy(true);
        peer = ServingPeer.saying(proxy.engine().agentAddress().getPort(), "osp", "\r\nhello");
        String id = "";
        while (id.isEmpty()) {
            id = peers().isEmpty() ? "" : peers().get(0).get("id").asText();
        }
    }

    @AfterEach
    void tearDown() throws Exception {
        peer.close();
        proxy.close();
    }

    private JsonNode get(String path) throws Exception {
        OwnPages.Answer answer = proxy.api("GET", path, "");
        assertEquals(200, answer.status(), text(answer));
        return JSON.readTree(text(answer));
    }

    private JsonNode peers() throws Exception {
        return get("peers").get("peers");
    }

    private static DescribedApi.Answered answered(OwnPages.Answer answer) {
        return new DescribedApi.Answered(
                answer.status(), answer.fields().getFirst().value(), text(answer));
    }

    @Test
    void everyAnswerIsAsTheDescriptionSays() throws Exception {
        var api = new DescribedApi(text(proxy.api("GET", "openapi.json", "")));
        proxy.sample();
        String id = peers().get(0).get("id").asText();
        proxy.act("POST", "contexts/pause", "{\"context\":\"/osp\",\"text\":\"Back soon.\"}");
        for (DescribedApi.Operation operation : api.operations()) {
            String target =
                    operation
                            .path()
                            .substring(1)
                            .replace("{peer}", id)
                            .replace("{request}", "none")
                            .replace("{name}", "context.grace");
            String body =
                    switch (target) {
                        case "contexts/pause", "contexts/resume" -> "{\"context\":\"/osp\"}";
                        case "cluster/peers/drain", "cluster/peers/resume" ->
                                "{\"peer\":\"anonymous\"}";
                        case "configuration/context.grace" -> "{\"value\":\"7s\"}";
                        case "configuration" ->
                                "{\"context.grace\":\"6s\",\"context.queue-time\":\"5s\"}";
                        default -> operation.path().endsWith("/weight") ? "{\"value\":\"50\"}" : "";
                    };
            api.holds(operation, answered(proxy.act(operation.method(), target, body)));
            if (!operation.method().equals("GET")) {
                api.holds(operation, answered(proxy.api(operation.method(), target, body)));
            }
        }
        assertEquals(29, api.operations().size());
    }

    @Test
    void severalValuesAreSetTogetherOrNotAtAll() throws Exception {
        String before = value("context.grace");

        int bad =
                proxy.act(
                                "PUT",
                                "configuration",
                                "{\"context.grace\":\"6s\",\"context.queue-time\":\"soon\"}")
                        .status();
        assertEquals(400, bad);
        assertEquals(before, value("context.grace"));

        proxy.act(
                "PUT", "configuration", "{\"context.grace\":\"6s\",\"context.queue-time\":\"5s\"}");
        assertEquals("6s", value("context.grace"));
        assertEquals("5s", value("context.queue-time"));
    }

    @Test
    void viewsShowPeersContextsAndErrors() throws Exception {
        JsonNode one = peers().get(0);
        assertEquals("/osp", one.get("contexts").get(0).get("context").asText());
        assertEquals("1.0", one.get("version").asText());
        assertFalse(one.get("draining").asBoolean());
        assertEquals(1, get("contexts").get("contexts").get(0).get("slots").asInt());
        assertEquals(1, get("status").get("peers").asInt());

        var ring = new RecentErrors(java.time.InstantSource.system());
        for (int i = 0; i < 150; i++) {
            ring.ended(record("r" + i, i % 3 == 0 ? "answered" : "peer-gone"));
        }
        assertEquals(RecentErrors.KEPT, ring.all().size());
        assertEquals("r149", ring.all().getFirst().exchange().id());
    }

    private static ExchangeRecord record(String id, String reason) {
        return record(id, reason, 9_000_000);
    }

    private static ExchangeRecord record(String id, String reason, long nanos) {
        return new ExchangeRecord(
                id,
                "::1",
                "GET",
                () -> "/osp",
                "/osp",
                "p",
                "billing",
                502,
                0,
                0,
                0,
                0,
                4_500,
                nanos,
                0,
                "edge",
                "",
                reason,
                RequestDetails.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, peers/nobody/drain, '', 404",
        "DELETE, peers/nobody, '', 404",
        "DELETE, requests/none, '', 404",
        "POST, contexts/pause, '{\"context\":\"/no\"}', 404",
        "POST, contexts/pause, '{\"context\":\"/osp\",\"retryAfter\":-1}', 400",
        "POST, contexts/pause, '{\"context\":[]}', 400",
        "POST, contexts/pause, '{\"other\":\"x\"}', 400",
        "POST, contexts/pause, 'x', 400",
        "PUT, configuration/agent.port, '{\"value\":\"9\"}', 400",
        "PUT, configuration/no.such, '{\"value\":\"9\"}', 400",
        "PUT, configuration/context.grace, '{\"value\":\"soon\"}', 400",
        "PUT, configuration/context.grace, '{}', 400",
        "DELETE, configuration/no.such, '', 400",
        "POST, caches/purge, '', 404",
        "POST, cluster/drain, '{\"node\":\"b\"}', 404",
        "POST, cluster/drain, '{\"peer\":\"b\"}', 400",
        "POST, cluster/peers/drain, '', 400",
        "POST, cluster/peers/drain, '{\"peer\":\"a\\u0000b\"}', 400",
        "POST, cluster/peers/resume, '{\"peer\":\"nobody\"}', 404",
        "GET, cluster/drain, '', 404",
        "POST, nothing, '', 404",
        "POST, status, '', 405",
        "GET, nothing, '', 404",
    })
    void wrongUseIsToldInAProblem(String method, String path, String body, int status)
            throws Exception {
        OwnPages.Answer answer = proxy.act(method, path, body);

        assertEquals(status, answer.status(), text(answer));
        assertEquals("application/problem+json", answer.fields().getFirst().value());
        assertFalse(JSON.readTree(text(answer)).get("detail").asText().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain, 415",
        "application/jsonx, 415",
        "Application/JSON;charset=UTF-8, 200",
    })
    void bodyOfAnotherTypeIsRefused(String type, int status) throws Exception {
        OwnPages.Answer answer =
                proxy.api(
                        "PUT",
                        "configuration/context.grace",
                        "{\"value\":\"7s\"}",
                        "Authorization",
                        "Bearer " + OperatedProxy.TOKEN,
                        "Content-Type",
                        type);

        assertEquals(status, answer.status());
    }

    @Test
    void valueIsSetAndTakenBackAndBothAreInTheAuditLog() throws Exception {
        String before = value("context.grace");

        assertEquals(
                200,
                proxy.act("PUT", "configuration/context.grace", "{\"value\":\"7s\"}").status());
        assertEquals("7s", value("context.grace"));
        assertTrue(get("configuration/context.grace").get("passing").asBoolean());
        proxy.act("DELETE", "configuration/context.grace", "");
        assertEquals(before, value("context.grace"));
        List<AuditEvent> changes =
                proxy.audited().stream()
                        .filter(event -> event.action() == AuditEvent.Action.CHANGE)
                        .toList();
        assertEquals(2, changes.size());
        for (AuditEvent event : changes) {
            assertEquals("changed", event.word());
            assertEquals("context.grace", event.subject());
            assertEquals("admin", event.actor().identity());
        }
    }

    private String value(String name) throws Exception {
        return get("configuration/" + name).get("value").asText();
    }

    @Test
    void commandsAreInTheAuditLogWithTheirOperator() throws Exception {
        String id = peers().get(0).get("id").asText();

        proxy.act("POST", "contexts/pause", "{\"context\":\"/osp\"}");
        assertTrue(get("contexts").get("contexts").get(0).get("paused").asBoolean());
        proxy.act("POST", "contexts/resume", "{\"context\":\"/osp\"}");
        assertFalse(get("contexts").get("contexts").get(0).get("paused").asBoolean());
        proxy.act("DELETE", "peers/" + id, "");

        assertEquals(
                "paused resumed disconnected",
                String.join(
                        " ",
                        proxy.audited().stream()
                                .filter(one -> one.actor().identity().equals("admin"))
                                .map(AuditEvent::word)
                                .toList()));
    }

    @Test
    void eachOperatorIsNamedInTheAuditLog() throws Exception {
        proxy.api(
                "POST",
                "contexts/pause",
                "{\"context\":\"/osp\"}",
                "Authorization",
                "Bearer " + OperatedProxy.ERIKA,
                "Content-Type",
                "application/json");

        assertEquals("erika", proxy.audited().getLast().actor().identity());
        assertEquals("paused", proxy.audited().getLast().word());
    }

    /** Has the inspector keep a request. */
    private void inspected(String id) throws Exception {
        proxy.act("PUT", "configuration/context./osp.inspect", "{\"value\":\"2\"}");
        var from = new ClientConnection(InetAddress.getLoopbackAddress(), 1, "here", 80, false);
        var head =
                new RequestHead.Draft("POST", "/osp/x?token=mine", "HTTP/1.1", from)
                        .field("Host", "a")
                        .field("Cookie", "secret")
                        .check();
        var origin = new Inspection.Origin(id, "/osp", "", "/osp/x", "");
        Inspection one = proxy.inspector().begin(origin, head);
        assertNotNull(one);
        one.body(ByteBuffer.wrap(new byte[] {'<', 'b', '>'}));
        proxy.inspector().ended(record(id, "answered"));
    }

    @Test
    void inspectorIsForThoseWithATokenAlone() throws Exception {
        inspected("one");

        OwnPages.Answer refused = proxy.api("GET", "inspector/one", "");
        assertEquals(401, refused.status());
        assertFalse(text(refused).contains("osp"), text(refused));
        assertEquals(401, proxy.api("GET", "inspector", "").status());
        OwnPages.Answer missing = proxy.act("GET", "inspector/two", "");
        assertEquals(404, missing.status());
        assertTrue(text(missing).contains("The inspector has no request two."), text(missing));
        assertEquals(405, proxy.act("PUT", "inspector", "").status());
        var api = new DescribedApi(text(proxy.api("GET", "openapi.json", "")));
        for (String path : List.of("", "/one")) {
            OwnPages.Answer kept = proxy.act("GET", "inspector" + path, "");
            String known = "/inspector" + (path.isEmpty() ? "" : "/{request}");
            api.holds(new DescribedApi.Operation("GET", known), answered(kept));
            assertTrue(text(kept).contains("/osp/x?token=***"), text(kept));
            assertFalse(text(kept).contains("secret"), text(kept));
        }
        assertEquals(409, proxy.act("POST", "inspector/one/repeat", "").status());
        assertEquals(404, proxy.act("POST", "inspector/two/repeat", "").status());

        proxy.act("DELETE", "configuration/context./osp.inspect", "");
        proxy.inspector().use();
        assertEquals(404, proxy.act("GET", "inspector/one", "").status());
    }

    @Test
    void inspectorForgetsWhatDoesNotFitIntoLessMemoryAtOnce() throws Exception {
        inspected("one");
        proxy.inspector().use();
        assertEquals(200, proxy.act("GET", "inspector/one", "").status());

        proxy.act("PUT", "configuration/inspect.memory", "{\"value\":\"0\"}");
        proxy.inspector().use();

        assertEquals(404, proxy.act("GET", "inspector/one", "").status());
    }

    @ParameterizedTest
    @CsvSource({
        "Authorization, Bearer wrong, 401, PT1S",
        "Authorization, Basic x, 401, PT0S",
        "X, y, 401, PT0S",
        "Origin, http://evil.test, 403, PT0S",
    })
    void whoeverDoesNotShowTheTokenChangesNothing(
            String name, String value, int status, Duration delay) throws Exception {
        OwnPages.Answer answer =
                proxy.api("POST", "contexts/pause", "{\"context\":\"/osp\"}", name, value);

        assertEquals(status, answer.status());
        assertEquals(delay, answer.delay());
        assertFalse(get("contexts").get("contexts").get(0).get("paused").asBoolean());
        assertEquals("refused", proxy.audited().getLast().word());
    }

    @Test
    void whoGuessesIsNotListenedToForAWhile() throws Exception {
        for (int i = 0; i < 8; i++) {
            OwnPages.Answer wrong =
                    proxy.api("DELETE", "peers/x", "", "Authorization", "Bearer " + i);
            assertEquals(401, wrong.status());
        }
        assertEquals(429, proxy.act("DELETE", "peers/x", "").status());

        proxy.pass(Operators.PENALTY);
        assertEquals(404, proxy.act("DELETE", "peers/x", "").status());
    }

    @Test
    void withoutATokenFileNobodyMayAct() throws Exception {
        try (var closed = new OperatedProxy(false)) {
            OwnPages.Answer answer = closed.act("DELETE", "peers/x", "");

            assertEquals(403, answer.status());
            assertTrue(text(answer).contains("admin.token-file"), text(answer));
        }
    }

    @Test
    void trafficIsSampled() {
        var traffic = new Traffic(java.time.InstantSource.system());
        for (int i = 0; i < 99; i++) {
            traffic.ended(record("r", "peer-gone"));
        }
        traffic.sample();
        Traffic.Sample sample = traffic.samples().getFirst();

        assertEquals(99, sample.serverErrors());
        assertTrue(sample.medianMillis() >= 9 && sample.medianMillis() <= 13.5, sample.toString());
        traffic.sample();
        assertEquals(0, traffic.samples().getLast().requests());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 240_000, 260_000, 490_000, 510_000, 740_000, 760_000, 1_100_000})
    void halfOfAllTookNoMoreThanIsSaid(long nanos) {
        var traffic = new Traffic(java.time.InstantSource.system());
        traffic.ended(record("r", "answered", nanos));
        traffic.sample();

        double said = traffic.samples().getFirst().medianMillis() * 1_000_000;

        assertTrue(said >= nanos && said <= Math.max(250_000, 2 * nanos), nanos + " is " + said);
    }
}
