package org.lrwp.webapp.steering;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.runtime.operation.Admin;
import org.lrwp.runtime.operation.RunningModule;
import org.lrwp.webapp.GreetingModule;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** The runtime API that each module has, inside the proxy and as a program. */
class ModuleApiTest {
    @TempDir Path folder;

    @Test
    void everyAnswerIsAsTheDescriptionSays() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        var start =
                new RunningModule.Start(
                        "greeting", List.of("/hello"), Map.of(), null, new Admin(0, token), null);
        try (RunningModule module = RunningModule.open(new GreetingModule(), start);
                HttpClient client = HttpClient.newHttpClient()) {
            String url = "http://127.0.0.1:" + module.adminPort() + "/-/api/v1";
            var get = HttpRequest.newBuilder(URI.create(url + "/openapi.json"));
            var api = new DescribedApi(client.send(get.build(), BodyHandlers.ofString()).body());
            for (DescribedApi.Operation operation : api.operations()) {
                String path =
                        operation.path().replace("{name}", "greeting").replace("{action}", "shout");
                String body =
                        switch (operation.method()) {
                            case "PUT" ->
                                    path.equals("/configuration")
                                            ? "{\"greeting\":\"ho\"}"
                                            : "{\"value\":\"hi\"}";
                            default -> "";
                        };
                var request =
                        HttpRequest.newBuilder(URI.create(url + path))
                                .header("Content-Type", "application/json")
                                .method(operation.method(), BodyPublishers.ofString(body));
                if (!operation.method().equals("GET")) {
                    api.holds(operation, send(client, request));
                    request.header("Authorization", "Bearer secret");
                }
                DescribedApi.Answered answer = send(client, request);
                assertEquals(200, answer.status(), answer.text());
                api.holds(operation, answer);
            }
            assertEquals(10, api.operations().size());
        }
    }

    private static DescribedApi.Answered send(HttpClient client, HttpRequest.Builder request)
            throws Exception {
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        return new DescribedApi.Answered(
                answer.statusCode(),
                answer.headers().firstValue("Content-Type").orElse(""),
                answer.body());
    }
}
