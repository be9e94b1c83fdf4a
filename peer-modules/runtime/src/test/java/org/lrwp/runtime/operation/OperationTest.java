package org.lrwp.runtime.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.module.Figure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
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
            return List.of(new Figure("walls", 4, "walls", "Painted."));
        }

        @Override
        public List<String> report() {
            return List.of("first line", "second line");
        }

        @Override
        public String metrics() {
            return "painted_total 4\n";
        }
    }

    @TempDir private Path folder;

    @Test
    void itsReportAndItsOwnMetricsAreShown() throws Exception {
        Configuration configuration = Configuration.open(List.of(COLOUR), Map.of(), null);
        try (Operation operation = Operation.open(new Painter(configuration), new Admin(0, null))) {
            assertEquals("first line\nsecond line\n", get(operation, "/report"));
            assertEquals("painted_total 4\n", get(operation, "/metrics"));
            String page = get(operation, "/");
            assertTrue(page.contains("colour = red  (default)"), page);
            assertTrue(page.endsWith("\nfirst line\nsecond line\n"), page);
        }
    }

    @Test
    void itsFileIsWatchedWithoutAnyEndpoint() throws Exception {
        Path file = Files.writeString(folder.resolve("conf"), "colour = blue\n");
        Configuration configuration = Configuration.open(List.of(COLOUR), Map.of(), file);
        Live<String> colour = configuration.bind(values -> values.get(COLOUR));
        CountDownLatch changed = new CountDownLatch(1);
        colour.onChange(changed::countDown);
        try (Operation operation = Operation.open(new Painter(configuration), Admin.NONE)) {
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
