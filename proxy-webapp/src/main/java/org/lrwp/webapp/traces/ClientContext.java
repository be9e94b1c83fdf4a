package org.lrwp.webapp.traces;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.KnownField;

import java.util.List;
import java.util.Objects;

/**
 * What a client says of its trace: W3C Trace Context. More than one {@code traceparent}, or one
 * that is none, means that nothing was said. Immutable.
 *
 * @param context of the client's span; the root for none
 * @param state its {@code tracestate}; empty for none
 */
record ClientContext(Context context, String state) {
    /** A trace begins with this request. */
    static final ClientContext NONE = new ClientContext(Context.root(), "");

    private static final TextMapGetter<RequestHead> FIELDS = new Fields();

    /** Reads the fields of a request. */
    static ClientContext of(RequestHead head) {
        int first = head.bytes().find(KnownField.TRACEPARENT);
        if (first < 0 || head.bytes().find(KnownField.TRACEPARENT, first + 1) >= 0) {
            return NONE;
        }
        Context read =
                W3CTraceContextPropagator.getInstance().extract(Context.root(), head, FIELDS);
        var span = Span.fromContext(read).getSpanContext();
        if (!span.isValid()) {
            return NONE;
        }
        // Passed on as it came; one that breaks a rule was not read, and goes no further.
        return new ClientContext(read, span.getTraceState().isEmpty() ? "" : state(head));
    }

    private static String state(RequestHead head) {
        return String.join(",", head.values(KnownField.TRACESTATE.lower()));
    }

    private static final class Fields implements TextMapGetter<RequestHead> {
        @Override
        public @Nullable String get(@Nullable RequestHead head, String name) {
            List<String> values = Objects.requireNonNull(head, "head").values(name);
            return values.isEmpty() ? null : String.join(",", values);
        }
    }
}
