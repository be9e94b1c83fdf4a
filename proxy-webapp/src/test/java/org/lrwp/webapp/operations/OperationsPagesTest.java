package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.cluster.ClusterStatus;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.transport.TransportStatus;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.module.Figure;
import org.lrwp.webapp.config.StatusConfig;

import java.io.StringReader;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;

class OperationsPagesTest {
    private static final StatusConfig CONFIG =
            new StatusConfig(
                    Network.LOOPBACK, Set.of("localhost", "127.0.0.1"), false, Set.of("/osp"), 10);
    private static final StatusConfig OPEN =
            new StatusConfig(List.of(Network.parse("0.0.0.0/0")), Set.of("*"), true, Set.of(), 10);

    private static final ConfigurationStatus FILE =
            new ConfigurationStatus("/etc/lrwp", "a = <b> is bad", List.of("agent.port"));

    private static final ModuleStatus MODULE =
            new ModuleStatus(
                    "m",
                    "events",
                    List.of("/e\u00e9"),
                    ModuleStatus.State.RUNNING,
                    -1,
                    "",
                    List.of(
                            Figure.gauge("sent", 7L, "", ""),
                            Figure.gauge("share", 0.5, "", ""),
                            Figure.gauge("none", Double.NaN, "", "")));

    private static PeerStatus peer() {
        return new PeerStatus(
                "127.0.0.1:9",
                "billing",
                "key 2026a",
                "worker-1",
                "<a>\u00e9\n",
                "3.0",
                List.of(new ServedContext("/osp", "")),
                "BUSY",
                1,
                1,
                200,
                5,
                0,
                List.of());
    }

    private static EngineStatus status(boolean listening, boolean draining, boolean served) {
        return status(listening, draining, served, draining);
    }

    private static EngineStatus status(
            boolean listening, boolean draining, boolean served, boolean drained) {
        return new EngineStatus(
                listening,
                draining,
                drained,
                "127.0.0.1:1081",
                "/run/lrwp.sock",
                List.of(
                        new ContextStatus(
                                "/osp",
                                "<h>",
                                served,
                                1,
                                1,
                                0,
                                1,
                                null,
                                2,
                                List.of("127.0.0.1:9"),
                                1,
                                Map.of("home", 7L),
                                Map.of("answered", 3L))),
                List.of(peer()),
                List.of(
                        new ExchangeStatus(
                                "id-1",
                                "/osp",
                                "GET",
                                "/osp/x",
                                ExchangeState.SENT,
                                "p",
                                7_000_000)),
                10,
                20,
                new TransportStatus("container http-listener", "", 2, listening, 3),
                List.of("billing"),
                Map.of("hits", 4L));
    }

    private static RequestHead head(String method, String from, String host, String... field)
            throws Exception {
        var connection =
                new ClientConnection(InetAddress.getByName(from), 1, "127.0.0.1", 80, false);
        var draft = new RequestHead.Draft(method, "/-/status", "HTTP/1.1", connection);
        draft.field("Host", host);
        if (field.length == 2) {
            draft.field(field[0], field[1]);
        }
        return draft.check();
    }

    private static OperationsPages.Page page(StatusConfig config, RequestHead head, String path) {
        return new OperationsPages(
                        () -> config,
                        "1.0",
                        () -> status(true, false, true),
                        () -> List.of(MODULE),
                        () -> new LogStatus(4, 5),
                        () -> FILE,
                        () -> ClusterStatus.OFF,
                        OperationsPagesTest::metrics,
                        context -> new ContextTotals(6, 7, 8, 0.5, 1.5, 2.5))
                .page(head, path);
    }

    private static OperationsPages.Page metrics(@Nullable String accept) {
        return new OperationsPages.Page(200, "text/plain", "metrics for " + accept);
    }

    @Test
    void metricsAreWrittenInTheFormatThatIsAskedFor() throws Exception {
        var page = page(CONFIG, head("GET", "127.0.0.1", "localhost"), "/-/metrics");
        assertEquals("metrics for null", page.text());
        assertEquals(403, page(CONFIG, head("GET", "127.0.0.1", "other"), "/-/metrics").status());
    }

    private static OperationsPages.Page ready(EngineStatus status) throws Exception {
        return new OperationsPages(
                        () -> CONFIG,
                        "1.0",
                        () -> status,
                        List::of,
                        () -> new LogStatus(0, 0),
                        () -> FILE,
                        () -> ClusterStatus.OFF,
                        OperationsPagesTest::metrics,
                        context -> new ContextTotals(6, 7, 8, 0.5, 1.5, 2.5))
                .page(head("GET", "127.0.0.1", "localhost"), "/-/health/ready");
    }

    @Test
    void statusTellsAllThatHappens() throws Exception {
        var page = page(CONFIG, head("GET", "127.0.0.1", "localhost:8080"), "/-/status");

        assertEquals(200, page.status());
        var json = Json.createReader(new StringReader(page.text())).readObject();
        assertEquals(1, json.getInt("inFlight"));
        assertEquals(4, json.getInt("accessLogDropped"));
        var file = json.getJsonObject("configuration");
        assertEquals("/etc/lrwp", file.getString("file"));
        assertTrue(file.getString("refusal").contains(" is bad"), file.toString());
        assertEquals("agent.port", file.getJsonArray("waiting").getString(0));
        var context = json.getJsonArray("contexts").getJsonObject(0);
        assertEquals("/osp", context.getString("context"));
        assertEquals(1, context.getInt("busy"));
        assertEquals(2, context.getInt("waiting"));
        assertEquals(3, context.getJsonObject("outcomes").getInt("answered"));
        assertEquals(5, json.getJsonArray("peers").getJsonObject(0).getInt("served"));
        assertEquals(7, json.getJsonArray("exchanges").getJsonObject(0).getInt("ageMillis"));
        assertTrue(page.bytes().length > 0);
    }

    @Test
    void statusHasItsKeysInTheirOrder() throws Exception {
        var page = page(CONFIG, head("GET", "127.0.0.1", "localhost:8080"), "/-/status");

        assertEquals(
                """
                {"version":"1.0","listening":true,"draining":false,"drained":false,\
                "drainedPeers":["billing"],"agent":"127.0.0.1:1081","agentSocket":"/run/lrwp.sock",\
                "transport":{"kind":"container http-listener","reason":"","threads":2,"restarts":3},\
                "inFlight":1,"spoolMemory":10,"spoolDisk":20,"accessLogDropped":4,"auditLogDropped":5,\
                "configuration":{"file":"/etc/lrwp","refusal":"a = <b> is bad",\
                "waiting":["agent.port"]},\
                "cluster":{"enabled":false},\
                "cache":{"hits":4},\
                "contexts":[{"context":"/osp","virtualHost":"<h>","served":true,"connections":1,\
                "slots":1,"free":0,"busy":1,"waiting":2,"sticky":{"home":7},"outcomes":{"answered":3},\
                "receivedBytes":6,"sentBytes":7,"retries":8,"meanQueueMillis":0.5,"meanPeerMillis":1.5,\
                "meanMillis":2.5}],\
                "peers":[{"peer":"127.0.0.1:9","identity":"billing","proof":"key 2026a",\
                "instance":"worker-1","program":"<a>\\\\xe9\\\\x0a","version":"3.0",\
                "contexts":[{"context":"/osp","virtualHost":""}],"state":"BUSY","capacity":1,\
                "busy":1,"weight":200,"served":5,"stuck":[]}],\
                "modules":[{"module":"m","type":"events","contexts":["/e\\\\xe9"],\
                "state":"running","adminPort":-1,"refusal":"","figures":{"sent":7,"share":0.5,"none":null}}],\
                "exchanges":[{"id":"id-1","context":"/osp","method":"GET","state":"SENT",\
                "peer":"p","ageMillis":7}]}
                """,
                page.text());
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 10.0.0.1, localhost, X, y, 403",
        "GET, 127.0.0.1, evil.test, X, y, 403",
        "GET, 127.0.0.1, localhost, Forwarded, for=1, 403",
        "GET, 127.0.0.1, localhost, X-Forwarded-For, 1, 403",
        "GET, 127.0.0.1, LOCALHOST, X, y, 200",
        "HEAD, 127.0.0.1, 127.0.0.1:99, X, y, 200",
        "POST, 127.0.0.1, localhost, X, y, 405",
    })
    void onlyOperatorsAreAnswered(
            String method, String from, String host, String name, String value, int status)
            throws Exception {
        assertEquals(
                status, page(CONFIG, head(method, from, host, name, value), "/-/status").status());
    }

    @Test
    void configurationMayOpenThePages() throws Exception {
        var head = head("GET", "10.0.0.1", "any.test", "Forwarded", "for=1");

        assertEquals(200, page(OPEN, head, "/-/status").status());
    }

    @Test
    void otherPathsAreNotFound() throws Exception {
        var head = head("GET", "127.0.0.1", "localhost");

        assertEquals(404, page(CONFIG, head, "/-/").status());
        assertEquals(404, page(CONFIG, head, "/-/Status").status());
        assertEquals(200, page(CONFIG, head, "/-/health/live").status());
    }

    @Test
    void readyNeedsListeningNotDrainingAndAPeerForEachContext() throws Exception {
        assertEquals(200, ready(status(true, false, true)).status());
        assertEquals("no peer for /osp\n", ready(status(true, false, false)).text());
        assertEquals(503, ready(status(true, false, false)).status());
        assertEquals("draining\n", ready(status(false, true, true)).text());
        assertEquals("not listening\n", ready(status(false, false, true)).text());
        assertEquals("drained\n", ready(status(true, false, true, true)).text());
        assertEquals(503, ready(status(true, false, true, true)).status());
    }

    @Test
    void textsOfOthersAreEscaped() {
        assertEquals("plain %s <b>", Escaper.escape("plain %s <b>"));
        assertEquals("\\x0a\\x22\\x5c\\xe9\\x7f", Escaper.escape("\n\"\\\u00e9\u007f"));
        assertFalse(Escaper.escape("a\r\nb").contains("\n"));
    }
}
