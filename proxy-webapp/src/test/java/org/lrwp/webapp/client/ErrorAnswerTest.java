package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.protocol.HeaderField;

import java.nio.charset.StandardCharsets;

class ErrorAnswerTest {
    private static String field(ErrorAnswer.Whole answer, String name) {
        return answer.head().fields().stream()
                .filter(field -> field.name().equals(name))
                .map(HeaderField::value)
                .findFirst()
                .orElse("none");
    }

    private static String text(ErrorAnswer.Whole answer) {
        return StandardCharsets.UTF_8.decode(answer.body()).toString();
    }

    @Test
    void textSaysStatusReasonAndRequest() {
        var one = ErrorAnswer.of(Failure.PEER_TIMEOUT).whole(null, "id-1", false);

        assertEquals(
                "504 peer-timeout: The peer did not answer in time. Request id-1\n", text(one));
        assertEquals("text/plain;charset=utf-8", field(one, "Content-Type"));
        assertEquals("id-1", field(one, "X-Request-Id"));
        assertEquals("no-store", field(one, "Cache-Control"));
        assertEquals("none", field(one, "Retry-After"));
        assertEquals(64, one.head().contentLength());
    }

    @Test
    void jsonIsWrittenForThoseWhoAskForIt() {
        var one = ErrorAnswer.of(Failure.NO_PEER).whole("application/json", "id-1", false);

        assertEquals(
                "{\"status\":503,\"reason\":\"no-peer\",\"message\":"
                        + "\"No peer serves this context at present.\",\"id\":\"id-1\"}\n",
                text(one));
        assertEquals("application/json", field(one, "Content-Type"));
        assertEquals("1", field(one, "Retry-After"));
    }

    @ParameterizedTest
    @CsvSource({
        "'text/html,application/json', text/plain;charset=utf-8",
        "'application/json,text/html', application/json",
        "'*/*', text/plain;charset=utf-8",
        "application/problem+json, application/json",
    })
    void acceptDecides(String accept, String type) {
        var answer = ErrorAnswer.of(404).whole(accept, "id-1", false);

        assertEquals(type, field(answer, "Content-Type"));
    }

    @ParameterizedTest
    @CsvSource({
        "403,forbidden",
        "404,not-found",
        "405,method-not-allowed",
        "416,bad-range",
        "501,not-implemented",
        "500,internal-error",
        "409,refused",
    })
    void statusesOfTheDefaultServletHaveWords(int status, String word) {
        assertEquals(word, ErrorAnswer.of(status).word());
        assertEquals(status, ErrorAnswer.of(status).status());
    }
}
