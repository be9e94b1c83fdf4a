package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.config.ErrorPage;
import org.lrwp.webapp.config.ErrorPages;

import java.nio.charset.StandardCharsets;
import java.util.Map;

class ErrorAnswerTest {
    private static String field(ErrorAnswer.Whole answer, String name) {
        return answer.head().fields().stream()
                .filter(field -> field.name().equals(name))
                .map(HeaderField::value)
                .findFirst()
                .orElse("none");
    }

    private static ErrorAnswer.Asker asker(@Nullable String accept) {
        return new ErrorAnswer.Asker(accept, "id-1", "");
    }

    private static String text(ErrorAnswer.Whole answer) {
        return StandardCharsets.UTF_8.decode(answer.body()).toString();
    }

    @Test
    void textSaysStatusReasonAndRequest() {
        var one = ErrorAnswer.of(Failure.PEER_TIMEOUT).whole(asker(null), ErrorPages.NONE, false);

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
        var one =
                ErrorAnswer.of(Failure.NO_PEER)
                        .whole(asker("application/json"), ErrorPages.NONE, false);

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
        var answer = ErrorAnswer.of(404).whole(asker(accept), ErrorPages.NONE, false);

        assertEquals(type, field(answer, "Content-Type"));
    }

    @Test
    void aPageOfOnesOwnHasWhatIsKnownOfTheErrorAndNothingThatABrowserWouldRun() {
        String page = "<p>{status} {reason} {message} {id} {other}</p><style>p { top: 0 }</style>";
        var pages =
                new ErrorPages(Map.of(503, ErrorPage.parse(ErrorPage.Kind.HTML, page)), Map.of());
        var paused = ErrorAnswer.of(new Pause("<b>\"Back\" & soon</b>", 7));

        var one = paused.whole(asker("text/html"), pages, true);
        assertEquals(one.body().remaining(), one.head().contentLength());

        assertEquals(
                "<p>503 paused &lt;b&gt;&quot;Back&quot; &amp; soon&lt;/b&gt; id-1 {other}</p>"
                        + "<style>p { top: 0 }</style>",
                text(one));
        assertEquals("text/html;charset=utf-8", field(one, "Content-Type"));
        assertEquals("no-store", field(one, "Cache-Control"));
        assertEquals("id-1", field(one, "X-Request-Id"));
        assertEquals("7", field(one, "Retry-After"));
        assertEquals("close", field(one, "Connection"));
    }

    @Test
    void whoeverAsksForJsonGetsAPageOfJsonOrTheProxysOwn() {
        var html = ErrorPage.parse(ErrorPage.Kind.HTML, "page");
        var json = ErrorPage.parse(ErrorPage.Kind.JSON, "{\"why\":\"{message}\"}");
        var both = new ErrorPages(Map.of(5, html), Map.of(5, json));
        var onlyHtml = new ErrorPages(Map.of(5, html), Map.of());
        var paused = ErrorAnswer.of(new Pause("say \"no\"", 0));

        assertEquals(
                "{\"why\":\"say \\\"no\\\"\"}",
                text(paused.whole(asker("application/json"), both, false)));
        var own = paused.whole(asker("application/json"), onlyHtml, false);
        assertEquals("application/json", field(own, "Content-Type"));
        assertEquals("page", text(paused.whole(asker("*/*"), onlyHtml, false)));
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
