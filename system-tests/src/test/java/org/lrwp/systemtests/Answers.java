package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.systemtests.harness.HttpAnswer;

import java.util.Optional;

/** What answers have to look like. */
final class Answers {
    private Answers() {}

    /** The proxy's own error: small, with a reason word and the request id, and no Server. */
    static void requireError(int status, String word, HttpAnswer answer) {
        assertEquals(status, answer.status(), answer.toString());
        assertTrue(answer.text().contains(word), word + " is not in " + answer);
        assertTrue(answer.body().length < 400, "not small: " + answer);
        assertEquals(HttpAnswer.Framing.LENGTH, answer.framing());
        String id = answer.value("X-Request-Id").orElse("");
        assertTrue(!id.isEmpty() && answer.text().contains(id), "no request id in " + answer);
        assertEquals(Optional.empty(), answer.value("Server"));
        assertEquals(status == 503, answer.value("Retry-After").isPresent(), answer.toString());
    }

    /** What an echo peer says to a request. */
    static void requireEcho(String method, String pathInfo, String body, HttpAnswer answer) {
        assertEquals(200, answer.status(), answer.toString());
        assertEquals(method + " " + pathInfo + "\n" + body, answer.text());
    }
}
