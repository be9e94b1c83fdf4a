package org.lrwp.testkit;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A span as a collector got it.
 *
 * @param service name of its sender
 * @param name its name
 * @param trace id of its trace
 * @param id its own id
 * @param parent id of its parent; empty for none
 * @param state its {@code tracestate}
 * @param start when it began, in nanoseconds since 1970
 * @param end when it ended
 * @param failed whether its status is an error
 * @param attributes what is known of it, as text
 * @param events what happened, in order
 */
public record ReceivedSpan(
        String service,
        String name,
        String trace,
        String id,
        String parent,
        String state,
        long start,
        long end,
        boolean failed,
        Map<String, String> attributes,
        List<Event> events) {
    /**
     * Something that happened.
     *
     * @param name what
     * @param time when, in nanoseconds since 1970
     * @param attributes what is known of it, as text
     */
    public record Event(String name, long time, Map<String, String> attributes) {}

    static ReceivedSpan of(String service, Span span) {
        HexFormat hex = HexFormat.of();
        return new ReceivedSpan(
                service,
                span.getName(),
                hex.formatHex(span.getTraceId().toByteArray()),
                hex.formatHex(span.getSpanId().toByteArray()),
                hex.formatHex(span.getParentSpanId().toByteArray()),
                span.getTraceState(),
                span.getStartTimeUnixNano(),
                span.getEndTimeUnixNano(),
                span.getStatus().getCode() == Status.StatusCode.STATUS_CODE_ERROR,
                texts(span.getAttributesList()),
                span.getEventsList().stream().map(ReceivedSpan::event).toList());
    }

    private static Event event(Span.Event event) {
        return new Event(
                event.getName(), event.getTimeUnixNano(), texts(event.getAttributesList()));
    }

    static Map<String, String> texts(List<KeyValue> attributes) {
        Map<String, String> texts = new LinkedHashMap<>();
        attributes.forEach(one -> texts.put(one.getKey(), text(one.getValue())));
        return texts;
    }

    private static String text(AnyValue value) {
        return value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
    }

    /**
     * Returns the names of its events.
     *
     * @return in order
     */
    public List<String> eventNames() {
        return events.stream().map(Event::name).toList();
    }
}
