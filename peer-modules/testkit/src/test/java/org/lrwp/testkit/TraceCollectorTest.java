package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

@Timeout(60)
class TraceCollectorTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final byte[] ID = {1, 2, 3, 4, 5, 6, 7, 8};

    private final TraceCollector collector = new TraceCollector();

    @AfterEach
    void stop() {
        collector.close();
    }

    private static KeyValue text(String key, String value) {
        return KeyValue.newBuilder()
                .setKey(key)
                .setValue(AnyValue.newBuilder().setStringValue(value))
                .build();
    }

    private static KeyValue number(String key, long value) {
        return KeyValue.newBuilder()
                .setKey(key)
                .setValue(AnyValue.newBuilder().setIntValue(value))
                .build();
    }

    private static byte[] message(Span.Builder span) {
        ScopeSpans.Builder scope = ScopeSpans.newBuilder().addSpans(span);
        Resource.Builder sender =
                Resource.newBuilder().addAttributes(text("service.name", "proxy"));
        ResourceSpans.Builder all =
                ResourceSpans.newBuilder().setResource(sender).addScopeSpans(scope);
        return ExportTraceServiceRequest.newBuilder().addResourceSpans(all).build().toByteArray();
    }

    private void send(byte[] body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(collector.url()).POST(BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertEquals(200, client.send(request.build(), BodyHandlers.discarding()).statusCode());
        }
    }

    @Test
    void spanIsReadAsItWasSent() throws Exception {
        Span.Event.Builder event =
                Span.Event.newBuilder()
                        .setName("sent")
                        .setTimeUnixNano(15)
                        .addAttributes(text("peer", "a"));
        Span.Builder span =
                Span.newBuilder()
                        .setName("GET /x")
                        .setTraceId(ByteString.copyFrom(ID).concat(ByteString.copyFrom(ID)))
                        .setSpanId(ByteString.copyFrom(ID))
                        .setTraceState("a=b")
                        .setStartTimeUnixNano(10)
                        .setEndTimeUnixNano(20)
                        .setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR))
                        .addAttributes(number("status", 502))
                        .addEvents(event);

        send(message(span), "Authorization", "Bearer token");

        ReceivedSpan got = collector.await(1, SOON).getFirst();
        String id = "0102030405060708";
        assertEquals("proxy", got.service());
        assertEquals("GET /x", got.name());
        assertEquals(id + id, got.trace());
        assertEquals(id, got.id());
        assertEquals("", got.parent());
        assertEquals("a=b", got.state());
        assertEquals(10, got.start());
        assertEquals(20, got.end());
        assertTrue(got.failed());
        assertEquals(Map.of("status", "502"), got.attributes());
        assertEquals(List.of("sent"), got.eventNames());
        assertEquals(Map.of("peer", "a"), got.events().getFirst().attributes());
        assertEquals("Bearer token", collector.authorization());
    }

    @Test
    void compressedMessagesAreReadToo() throws Exception {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(message(Span.newBuilder().setName("zipped")));
        }

        send(zipped.toByteArray(), "Content-Encoding", "gzip");

        ReceivedSpan got = collector.await(1, SOON).getFirst();
        assertEquals("zipped", got.name());
        assertFalse(got.failed());
        assertEquals("", collector.authorization());
    }

    @Test
    void spansThatDoNotComeFailTheTest() {
        assertThrows(AssertionError.class, () -> collector.await(1, Duration.ZERO));
    }
}
