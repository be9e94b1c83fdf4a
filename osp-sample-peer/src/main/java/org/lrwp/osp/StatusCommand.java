package org.lrwp.osp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.json.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.Callable;

/** Asks the running peer how it does. For picocli. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Says how the running peer does.")
final class StatusCommand implements Callable<Integer> {
    private static final int PATIENCE_MILLIS = 5_000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private DataFolder data = new DataFolder();

    StatusCommand() {}

    @Override
    public Integer call() throws BadOptionException {
        try {
            String port = Files.readString(data.path().resolve(OspOperated.PORT_FILE)).strip();
            URLConnection connection =
                    URI.create("http://127.0.0.1:" + port + "/-/api/v1/report")
                            .toURL()
                            .openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            try (InputStream body = connection.getInputStream()) {
                print(new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
            spec.commandLine().getOut().flush();
            return 0;
        } catch (IOException | IllegalArgumentException unreachable) {
            throw new BadOptionException("no peer runs with --data " + data.path());
        }
    }

    /** Each text of the answer is a line. */
    private void print(String report) throws IOException {
        try (JsonParser json = Json.parser(report)) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.VALUE_STRING) {
                    spec.commandLine().getOut().println(json.getText());
                }
            }
        }
    }
}
