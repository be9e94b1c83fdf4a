package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.json.JsonString;
import org.lrwp.runtime.module.Figure;

import java.util.List;
import java.util.function.Function;

/** Writes the few JSON texts of the admin endpoint: nothing is ever read here. */
final class JsonText {
    private JsonText() {}

    static String status(Operated subject) {
        return "{\"name\":"
                + JsonString.quoted(subject.name())
                + ",\"type\":"
                + JsonString.quoted(subject.type())
                + ",\"figures\":"
                + figures(subject.figures())
                + ",\"refusal\":"
                + JsonString.quoted(subject.configuration().refusal())
                + ",\"configuration\":"
                + entries(subject.configuration().values().entries())
                + "}\n";
    }

    private static String figures(List<Figure> figures) {
        return joined(
                figures,
                one -> JsonString.quoted(one.name()) + ":" + number(one.value()),
                "{",
                "}");
    }

    /** JSON knows neither infinity nor what is no number. */
    private static String number(Number value) {
        double real = value.doubleValue();
        return Double.isNaN(real) || Double.isInfinite(real) ? "null" : value.toString();
    }

    static String entries(List<Entry> entries) {
        return joined(entries, JsonText::entry, "[", "]");
    }

    static String entry(Entry entry) {
        return "{\"name\":"
                + JsonString.quoted(entry.name())
                + ",\"value\":"
                + JsonString.quoted(entry.text())
                + ",\"origin\":"
                + JsonString.quoted(entry.origin().toString())
                + ",\"live\":"
                + entry.live()
                + ",\"allowed\":"
                + JsonString.quoted(entry.allowed())
                + ",\"meaning\":"
                + JsonString.quoted(entry.meaning())
                + "}";
    }

    private static <T> String joined(
            List<T> parts, Function<T, String> text, String begin, String end) {
        return begin + String.join(",", parts.stream().map(text).toList()) + end;
    }
}
