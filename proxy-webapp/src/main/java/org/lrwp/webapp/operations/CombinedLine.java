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

    static String text(AccessLine line) {
        ExchangeRecord exchange = line.exchange();
        String protocol = exchange.details().protocol();
        return exchange.client()
                + " - - ["
                + TIME.format(line.time())
                + "] \""
                + Escaper.escape(exchange.method() + " " + exchange.target())
                + (protocol.isEmpty() ? "" : " " + protocol)
                + "\" "
                + exchange.status()
                + " "
                + exchange.answerBytes()
                + " \""
                + orHyphen(exchange.details().referer())
                + "\" \""
                + orHyphen(exchange.details().userAgent())
                + "\"";
    }

    /** The text of a field, harmless; a hyphen where there is none. */
    static String orHyphen(@Nullable String value) {
        return value == null || value.isEmpty() ? "-" : Escaper.escape(value);
    }
}
