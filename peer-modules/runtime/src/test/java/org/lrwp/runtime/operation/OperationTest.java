package org.lrwp.runtime.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.prometheus.metrics.model.snapshots.Labels;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.module.Figure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A program that is no module, as operators see it. */
class OperationTest {
    private static final Key<String> COLOUR =
            Key.live("colour", ValueTypes.TEXT, "red", "What it is painted.");

    /** A program that says more than its figures. */
    private record Painter(Configuration configuration) implements Operated {
        @Override
        public String name() {
            return "painter";
        }

        @Override
        public String type() {
            return "painter";
        }

        @Override
        public List<Figure> figures() {
            return List.of(Figure.gauge("walls", 4, "walls", "Painted."));
        }

        @Override
        public List<String> report() {
            return List.of("first line", "second line");
        }

        @Override
        public List<Action> actions() {
            return List.of(
                    new Action("paint", "Paints.", () -> "Painted."),
                    new Action(
                            "fly",
                            "Does what it cannot.",
                            () -> {
                                throw new IOException("There are no wings.");
                            }),
                    new Action(
                            "fall",
                            "Has a fault.",
                            () -> {
                                throw new IllegalStateException("a fault");
                            }));
        }

        @Override
        public void metrics(Scrape scrape) {
            scrape.counter("painted", "Walls.", Labels.of("colour", "red"), 4);
        }
    }

    @TempDir private Path folder;

    @Test
    void itsReportAndItsOwnMetricsAreShown() throws Exception {
        Configuration configuration = Configuration.open(List.of(COLOUR), Map.of(), null);
        try (Operation operation = Operation.open(new Painter(configuration), new Admin(0, null))) {
            assertEquals(
                    "{\"lines\":[\"first line\",\"second line\"]}\n",
                    get(operation, "/-/api/v1/report"));
            String metrics = get(operation, "/-/metrics");
            assertTrue(metrics.contains("\npainted_total{colour=\"red\"} 4.0\n"), metrics);
            assertTrue(metrics.contains("\njvm_memory_used_bytes{"), metrics);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "paint, 200, '{\"done\":\"Painted.\"}'",
        "fly, 409, There are no wings.",
        "fall, 500, its log says how",
        "run, 404, There is no action run.",
    })
    void itDoesWhatItsActionsSay(String action, int status, String text) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Configuration configuration = Configuration.open(List.of(COLOUR), Map.of(), null);
        try (Operation operation = Operation.open(new Painter(configuration), new Admin(0, token));
                HttpClient client = HttpClient.newHttpClient()) {
            URI address =
                    URI.create(
                            "http://127.0.0.1:"
                                    + operation.adminPort()
                                    + "/-/api/v1/actions/"
                                    + action);
            var answer =
                    client.send(
                            HttpRequest.newBuilder(address)
                                    .header("Authorization", "Bearer secret")
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.ofString());
            assertEquals(status, answer.statusCode());
            assertTrue(answer.body().contains(text), answer.body());
        }
    }

    @Test
    void itsFileIsWatchedWithoutAnyEndpoint() throws Exception {
        Path file = Files.writeString(folder.resolve("conf"), "colour = blue\n");
        Configuration configuration = Configuration.open(List.of(COLOUR), Map.of(), file);
        Live<String> colour = configuration.bind(values -> values.get(COLOUR));
        CountDownLatch changed = new CountDownLatch(1);
        colour.onChange(changed::countDown);
        var none = new Admin(-1, null);
        try (Operation operation = Operation.open(new Painter(configuration), none)) {
            assertEquals(-1, operation.adminPort());
            Files.writeString(file, "colour = bright green\n");

            assertTrue(changed.await(60, TimeUnit.SECONDS));
            assertEquals("bright green", colour.get());
        }
    }

    private static String get(Operation operation, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI address = URI.create("http://127.0.0.1:" + operation.adminPort() + path);
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
