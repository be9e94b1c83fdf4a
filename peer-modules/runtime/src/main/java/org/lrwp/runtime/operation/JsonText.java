package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.module.Figure;

import java.util.List;
import java.util.function.Function;

/** Writes the few JSON texts of the admin endpoint: nothing is ever read here. */
final class JsonText {
    private JsonText() {}

    static String status(RunningModule module) {
        return "{\"name\":"
                + quoted(module.name())
                + ",\"type\":"
                + quoted(module.type())
                + ",\"figures\":"
                + figures(module.figures())
                + ",\"refusal\":"
                + quoted(module.configuration().refusal())
                + ",\"configuration\":"
                + entries(module.configuration().values().entries())
                + "}\n";
    }

    private static String figures(List<Figure> figures) {
        return joined(figures, one -> quoted(one.name()) + ":" + number(one.value()), "{", "}");
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
                + quoted(entry.name())
                + ",\"value\":"
                + quoted(entry.text())
                + ",\"origin\":"
                + quoted(entry.origin().toString())
                + ",\"live\":"
                + entry.live()
                + ",\"allowed\":"
                + quoted(entry.allowed())
                + ",\"meaning\":"
                + quoted(entry.meaning())
                + "}";
    }

    private static <T> String joined(
            List<T> parts, Function<T, String> text, String begin, String end) {
        return begin + String.join(",", parts.stream().map(text).toList()) + end;
    }

    /** A JSON string: RFC 8259 section 7. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c == 0x7F) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
