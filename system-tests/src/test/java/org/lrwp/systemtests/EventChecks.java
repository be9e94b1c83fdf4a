package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What an event module does for its clients, wherever it runs. */
final class EventChecks {
    private final int port;
    private final String context;

    EventChecks(int port, String context) {
        this.port = port;
        this.context = context;
    }

    /** Publishes a text; its id. */
    String publish(String channel, String text) throws IOException {
        try (RawHttp client = RawHttp.to(port)) {
            client.post(context + "/" + channel, text.getBytes(StandardCharsets.UTF_8));
            HttpAnswer answer = client.answer();
            assertEquals(201, answer.status(), answer.text());
            return answer.value("Last-Event-ID").orElseThrow();
        }
    }

    /** Begins to wait for what comes behind an event; its head has been read. */
    EventStream stream(RawHttp client, String channel, String since) throws IOException {
        client.request(
                "GET", context + "/" + channel + "?since=" + since, "Accept: text/event-stream");
        assertEquals("HTTP/1.1 200 OK", client.line());
        while (!client.line().isEmpty()) {
            // The head.
        }
        EventStream body = new EventStream(client);
        body.readTo("\n\n");
        return body;
    }

    /** An event reaches polls and streams, and those that come later. */
    void requireForms() throws IOException {
        try (RawHttp poll = RawHttp.to(port);
                RawHttp streaming = RawHttp.to(port);
                RawHttp later = RawHttp.to(port)) {
            String begin = publish("forms", "first");
            poll.request("GET", context + "/forms?since=" + begin);
            EventStream stream = stream(streaming, "forms,other", begin);
            String id = publish("forms", "h\u00e9llo");

            HttpAnswer polled = poll.answer();
            assertEquals(
                    "[{\"id\":\"" + id + "\",\"data\":\"h\u00e9llo\"}]\n",
                    new String(polled.body(), StandardCharsets.UTF_8));
            assertEquals("no-store", polled.value("Cache-Control").orElse(""));
            String told = stream.readTo("llo\n\n");
            assertTrue(told.endsWith("id: " + id + "\nevent: forms\ndata: h\u00e9llo\n\n"), told);
            HttpAnswer all = later.get(context + "/forms?since=oldest");
            assertEquals(2, all.text().lines().count());
            HttpAnswer none = later.get(context + "/forms?timeout=0&since=" + id);
            assertEquals(204, none.status());
            assertEquals(id, none.value("Last-Event-ID").orElse(""));
            assertEquals(400, later.get(context + "/forms?since=x").status());
            assertEquals(200, later.get(context + "/-/demo").status());
        }
    }

    /** Many wait, some of them badly; everybody else gets each event once. */
    void requireCrowd(int polls, int streams) throws IOException {
        List<RawHttp> polling = new ArrayList<>();
        List<RawHttp> streaming = new ArrayList<>();
        List<EventStream> bodies = new ArrayList<>();
        try {
            String since = publish("crowd", "begin");
            for (int i = 0; i < streams; i++) {
                RawHttp client = i % 10 == 9 ? RawHttp.slowReader(port) : RawHttp.to(port);
                streaming.add(client);
                bodies.add(stream(client, "crowd", since));
            }
            for (int i = 0; i < polls; i++) {
                polling.add(RawHttp.to(port));
            }
            for (int round = 0; round < 3; round++) {
                for (RawHttp client : polling) {
                    client.request("GET", context + "/crowd?since=" + since);
                }
                if (round == 1) {
                    // These are gone without a word, in the middle of it.
                    polling.removeLast().wire().reset();
                    streaming.getFirst().wire().reset();
                }
                since = publish("crowd", "tick " + round);
                for (RawHttp client : polling) {
                    assertEquals(
                            "[{\"id\":\"" + since + "\",\"data\":\"tick " + round + "\"}]\n",
                            client.answer().text());
                }
            }
            for (int i = 1; i < streams; i++) {
                String all = bodies.get(i).readTo("tick 2\n\n");
                assertEquals(3, all.lines().filter(line -> line.startsWith("data:")).count());
            }
        } finally {
            for (RawHttp client : polling) {
                client.close();
            }
            for (RawHttp client : streaming) {
                client.close();
            }
        }
    }
}
