package org.lrwp.webapp.operations;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeRecord;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes a line of the access log in the combined format, which many programs read. */
final class CombinedLine {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private CombinedLine() {}

    static void text(AccessLine line, StringBuilder to) {
        ExchangeRecord exchange = line.exchange();
        String protocol = exchange.details().protocol();
        to.append(exchange.client()).append(" - - [");
        TIME.formatTo(line.time(), to);
        to.append("] \"").append(Escaper.escape(exchange.method()));
        to.append(' ').append(Escaper.escape(exchange.target()));
        to.append(protocol.isEmpty() ? "" : " ").append(protocol);
        to.append("\" ").append(exchange.status()).append(' ').append(exchange.answerBytes());
        to.append(" \"").append(orHyphen(exchange.details().referer()));
        to.append("\" \"").append(orHyphen(exchange.details().userAgent())).append('"');
    }

    /** The text of a field, harmless; a hyphen where there is none. */
    static String orHyphen(@Nullable String value) {
        return value == null || value.isEmpty() ? "-" : Escaper.escape(value);
    }
}
