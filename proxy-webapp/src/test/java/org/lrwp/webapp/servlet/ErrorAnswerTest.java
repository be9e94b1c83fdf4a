package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.exchange.Failure;

import java.io.IOException;
import java.nio.file.Path;

class ErrorAnswerTest {
    @TempDir Path folder;

    private ClientFixture write(ErrorAnswer answer, @Nullable String accept) throws IOException {
        var one = new ClientFixture(folder);
        answer.write(new ServletAnswer(one.response), accept, "id-1", false);
        one.close();
        return one;
    }

    @Test
    void textSaysStatusReasonAndRequest() throws IOException {
        var one = write(ErrorAnswer.of(Failure.PEER_TIMEOUT), null);

        assertEquals(
                "504 peer-timeout: The peer did not answer in time. Request id-1\n",
                one.out.text());
        assertEquals("text/plain;charset=utf-8", one.header("Content-Type"));
        assertEquals("id-1", one.header("X-Request-Id"));
        assertEquals("no-store", one.header("Cache-Control"));
        assertNull(one.header("Retry-After"));
    }

    @Test
    void jsonIsWrittenForThoseWhoAskForIt() throws IOException {
        var one = write(ErrorAnswer.of(Failure.NO_PEER), "application/json");

        assertEquals(
                "{\"status\":503,\"reason\":\"no-peer\",\"message\":"
                        + "\"No peer serves this context at present.\",\"id\":\"id-1\"}\n",
                one.out.text());
        assertEquals("application/json", one.header("Content-Type"));
        assertEquals("1", one.header("Retry-After"));
    }

    @ParameterizedTest
    @CsvSource({
        "'text/html,application/json', text/plain;charset=utf-8",
        "'application/json,text/html', application/json",
        "'*/*', text/plain;charset=utf-8",
        "application/problem+json, application/json",
    })
    void acceptDecides(String accept, String type) throws IOException {
        assertEquals(type, write(ErrorAnswer.of(404), accept).header("Content-Type"));
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
