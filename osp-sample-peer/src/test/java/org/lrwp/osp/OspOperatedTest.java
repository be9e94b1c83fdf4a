package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.configuration.OspKeys;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.testkit.DemoTables;
import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.runtime.operation.Admin;
import org.lrwp.runtime.operation.Operation;
import org.lrwp.testkit.Configurations;
import org.lrwp.testkit.MonitoredMetrics;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.management.ObjectName;

/** What operators see of the running peer. */
@Timeout(120)
final class OspOperatedTest {
    @TempDir Path folder = Path.of("");

    @Test
    void statusMetricsAndConsolesShowWhatWasAnswered() throws Exception {
        CallCounters counters = new CallCounters();
        counters.answered("AuthorizationRequest", Status.SUCCESS);
        counters.answered("AuthorizationRequest", Status.ROUTE_BLOCKED);
        counters.answered("Nonsense", Status.NOT_IMPLEMENTED);
        counters.checked("token", Status.SIGNATURE_INVALID);
        try (CdrStore records = RecordsStart.store(OspConfiguration.usual(), folder, line -> {});
                Operation operation = Operation.open(operated(counters, records), admin())) {
            OspOperated.tellPort(folder, operation.adminPort());

            List<String> status = status().lines().toList();
            String metrics = get(operation, "/-/metrics");
            String json = get(operation, "/-/api/v1/status");
            String values = get(operation, "/-/api/v1/configuration");

            assertEquals(
                    List.of(
                            "calls=0 authorisations=1 source-usages=0 destination-usages=0"
                                    + " refused=2 refused-403=1 refused-501=1",
                            "journal-bytes=0",
                            "database=there"),
                    status);
            for (String line :
                    List.of(
                            "answers_total{component=\"AuthorizationRequest\",module=\"osp\","
                                    + "status=\"200\"} 1.0",
                            "answers_total{component=\"AuthorizationRequest\",module=\"osp\","
                                    + "status=\"403\"} 1.0",
                            "answers_total{component=\"other\",module=\"osp\",status=\"501\"} 1.0",
                            "signature_checks_total{module=\"osp\",of=\"token\",status=\"421\"}"
                                    + " 1.0",
                            "usages_total{module=\"osp\",role=\"source\"} 0.0",
                            "journal_bytes{module=\"osp\"} 0.0",
                            "journal_lag_seconds{module=\"osp\"} 0.0",
                            "database_up{module=\"osp\"} 1.0")) {
                assertTrue(metrics.contains("\nlrwp_osp_" + line + "\n"), line + metrics);
            }
            Scrape scrape = new Scrape();
            operated(counters, records).metrics(scrape);
            MonitoredMetrics.check("osp", scrape.all());
            assertTrue(json.contains("\"authorisations\":1,\"sourceUsages\":0"), json);
            assertTrue(values.contains("\"value\":\"ascii-signed\",\"origin\":\"test\""), values);
            assertEquals(
                    2L,
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(
                                    new ObjectName("org.lrwp:type=Module,kind=osp,name=\"osp\""),
                                    "Refused"));
        }
    }

    private static OspOperated operated(CallCounters counters, CdrStore records) throws Exception {
        return new OspOperated(
                Configurations.of(OspKeys.all(), "token.kind=ascii-signed"),
                counters,
                records,
                DemoTables.desk(OspConfiguration.usual().routing()).routing(),
                List.of());
    }

    private static Admin admin() {
        return OspConfiguration.usual().watching().admin();
    }

    private String status() {
        StringWriter output = new StringWriter();
        CommandLine commandLine = OspPeer.commandLine();
        commandLine.setOut(new PrintWriter(output, true));
        assertEquals(0, commandLine.execute("status", "--data", folder.toString()));
        assertTrue(Files.exists(folder.resolve("admin.port")));
        return output.toString();
    }

    private static String get(Operation operation, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI address = URI.create("http://127.0.0.1:" + operation.adminPort() + path);
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
