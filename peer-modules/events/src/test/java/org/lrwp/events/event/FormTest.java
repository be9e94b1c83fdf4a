package org.lrwp.events.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

class FormTest {
    private static final EventId ID = new EventId(7, 3);

    private static Event event(EventData.Kind kind, String text) {
        return new Event(ID, "news", new EventData(kind, text), 0);
    }

    private static Event text(String text) {
        return event(EventData.Kind.TEXT, text);
    }

    private static String string(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "'',POLL",
        "*/*,POLL",
        "text/event-stream,EVENT_STREAM",
        "'text/html, Text/Event-Stream;q=0.9',EVENT_STREAM",
        "application/x-ndjson,LINES",
        "'application/json, text/event-stream',POLL",
    })
    void clientsAcceptSaysTheForm(String accept, Form form) {
        assertEquals(form, Form.accepted(accept));
    }

    @Test
    void textIsWrittenInEachForm() {
        Event event = text("a \"b\"\r\nc\rd\ne");

        assertEquals(
                "id: 7.3\ndata: a \"b\"\ndata: c\ndata: d\ndata: e\n\n",
                string(event.written(Form.EVENT_STREAM, false)));
        assertEquals(
                "{\"id\":\"7.3\",\"data\":\"a \\\"b\\\"\\r\\nc\\rd\\ne\"}\n",
                string(event.written(Form.LINES, false)));
        assertEquals(
                "[{\"id\":\"7.3\",\"data\":\"a \\\"b\\\"\\r\\nc\\rd\\ne\"}]\n",
                string(event.written(Form.POLL, false)));
    }

    @Test
    void emptyTextIsAnEventToo() {
        assertEquals("id: 7.3\ndata: \n\n", string(text("").written(Form.EVENT_STREAM, false)));
        assertEquals(
                "id: 7.3\ndata: \ndata: \n\n",
                string(text("\n").written(Form.EVENT_STREAM, false)));
    }

    @Test
    void jsonIsWrittenAsItIs() {
        Event event = event(EventData.Kind.JSON, "{\"a\":1}");

        assertEquals(
                "{\"id\":\"7.3\",\"channel\":\"news\",\"data\":{\"a\":1}}\n",
                string(event.written(Form.LINES, true)));
        assertEquals(
                "id: 7.3\nevent: news\ndata: {\"a\":1}\n\n",
                string(event.written(Form.EVENT_STREAM, true)));
    }

    @Test
    void bytesOfAnEventExistOnce() {
        Event event = text("a");

        assertSame(
                event.written(Form.LINES, false).array(), event.written(Form.LINES, false).array());
    }

    @Test
    void severalAreJoined() {
        List<ByteBuffer> polls =
                List.of(text("a").written(Form.POLL, false), text("b").written(Form.POLL, false));

        assertEquals(
                "[{\"id\":\"7.3\",\"data\":\"a\"},\n{\"id\":\"7.3\",\"data\":\"b\"}]\n",
                string(Form.POLL.join(polls)));
        assertEquals(
                "[{\"id\":\"7.3\",\"data\":\"a\"}]\n", string(text("a").written(Form.POLL, false)));
    }

    @Test
    void gapNamesBothPositions() {
        EventId asked = new EventId(7, 1);

        assertEquals(
                "event: gap\nid: 7.3\ndata: {\"id\":\"7.3\",\"gap\":\"7.1\"}\n\n",
                string(Form.EVENT_STREAM.gap(ID, asked)));
        assertEquals("[{\"id\":\"7.3\",\"gap\":\"7.1\"}]\n", string(Form.POLL.gap(ID, asked)));
    }

    @Test
    void quotedTextHasNoLineEndOfAnyKind() {
        assertEquals(
                "{\"id\":\"7.3\",\"data\":\"\\u2028\\u2029\\u0000\\u007f\\t\\\\\"}\n",
                string(text("\u2028\u2029\0\u007f\t\\").written(Form.LINES, false)));
    }
}
