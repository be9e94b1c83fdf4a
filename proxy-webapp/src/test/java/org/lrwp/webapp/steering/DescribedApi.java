package org.lrwp.webapp.steering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Holds answers against an OpenAPI description. */
final class DescribedApi {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode api;

    /** A method and a path of the description. */
    record Operation(String method, String path) {}

    /** An answer, as its client sees it. */
    record Answered(int status, String type, String text) {}

    DescribedApi(String description) throws Exception {
        api = JSON.readTree(description);
    }

    /** All that is described. */
    List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : api.get("paths").properties()) {
            for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
                if (path.getValue().has(method.toLowerCase(Locale.ROOT))) {
                    all.add(new Operation(method, path.getKey()));
                }
            }
        }
        return all;
    }

    /** Fails when an answer is not as the description says. */
    void holds(Operation operation, Answered answer) throws Exception {
        JsonNode described =
                api.get("paths")
                        .get(operation.path())
                        .get(operation.method().toLowerCase(Locale.ROOT))
                        .get("responses")
                        .get(Integer.toString(answer.status()));
        String what = operation + " " + answer;
        assertNotNull(described, what);
        Map.Entry<String, JsonNode> content =
                described.get("content").properties().iterator().next();
        assertEquals(content.getKey(), answer.type(), what);
        ObjectNode schema = content.getValue().get("schema").deepCopy();
        schema.set("components", api.get("components"));
        var faults =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(schema)
                        .validate(JSON.readTree(answer.text()));
        assertTrue(faults.isEmpty(), what + faults);
    }
}
