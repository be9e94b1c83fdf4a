package org.lrwp.server.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.net.httpserver.HttpServer;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Each command that prints a table, against what the descriptions of the API say is answered. */
class ViewsTest {
    private static final String PROXY = "/org/lrwp/webapp/steering/openapi.json";
    private static final String PROGRAM = "/org/lrwp/runtime/operation/openapi.json";

    private static Set<String> views() {
        return Ctl.VIEWS.keySet();
    }

    private static JsonObject described(String view) throws Exception {
        String file = view.equals("actions") ? PROGRAM : PROXY;
        try (InputStream in = Objects.requireNonNull(ViewsTest.class.getResourceAsStream(file));
                var reader = Json.createReader(in)) {
            return reader.readObject();
        }
    }

    /** The schema itself, where another place has it. */
    private static JsonObject schema(JsonObject api, JsonObject given) {
        String place = given.getString("$ref", "");
        return place.isEmpty() ? given : api.getValue(place.substring(1)).asJsonObject();
    }

    /** An answer with one row, whose members have their names for values. */
    private static JsonObject answer(String view) throws Exception {
        JsonObject api = described(view);
        String media = "/get/responses/200/content/application~1json/schema";
        JsonObject path = api.getJsonObject("paths").getJsonObject("/" + view);
        JsonObject list = schema(api, path.getValue(media).asJsonObject());
        Map.Entry<String, JsonObject> rows =
                list.getJsonObject("properties").entrySet().stream()
                        .map(one -> Map.entry(one.getKey(), one.getValue().asJsonObject()))
                        .filter(one -> one.getValue().getString("type", "").equals("array"))
                        .findFirst()
                        .orElseThrow();
        JsonObject items = schema(api, rows.getValue().getJsonObject("items"));
        var row = Json.createObjectBuilder();
        items.getJsonObject("properties").keySet().forEach(name -> row.add(name, name));
        JsonArray one = Json.createArrayBuilder().add(row).build();
        return Json.createObjectBuilder().add(rows.getKey(), one).build();
    }

    @ParameterizedTest
    @MethodSource("views")
    void aTableHasAValueInEachColumn(String view) throws Exception {
        byte[] answer = answer(view).toString().getBytes(StandardCharsets.UTF_8);
        var out = new ByteArrayOutputStream();
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext(
                "/-/api/v1/" + view,
                exchange -> {
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();

            assertEquals(
                    0,
                    Ctl.run(print, print, "--url", url, view),
                    () -> out.toString(StandardCharsets.UTF_8));
        } finally {
            server.stop(0);
        }
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(2, lines.size(), lines::toString);
        assertFalse(List.of(lines.getLast().split(" +", -1)).contains("-"), lines::toString);
    }
}
