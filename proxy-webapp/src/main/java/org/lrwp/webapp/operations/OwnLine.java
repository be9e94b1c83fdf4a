package org.lrwp.webapp.operations;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.webapp.config.LineTemplate;
import org.lrwp.webapp.config.LogField;

/** Writes a line of the access log as a template says. A field without a value is a hyphen. */
final class OwnLine {
    private OwnLine() {}

    static void text(AccessLine line, LineTemplate template, StringBuilder to) {
        for (LineTemplate.Piece piece : template.pieces()) {
            to.append(piece.text());
            LogField field = piece.field();
            if (field != null) {
                to.append(value(line, field));
            }
        }
    }

    private static Object value(AccessLine line, LogField field) {
        ExchangeRecord exchange = line.exchange();
        return switch (field) {
            case TIME -> line.time();
            case ID -> exchange.id();
            case TRACE -> CombinedLine.orHyphen(exchange.details().trace().id());
            case CLIENT -> exchange.client();
            case METHOD -> CombinedLine.orHyphen(exchange.method());
            case TARGET -> CombinedLine.orHyphen(exchange.target());
            case PROTOCOL -> CombinedLine.orHyphen(exchange.details().protocol());
            case TLS -> exchange.details().secure();
            case TLS_VERSION -> CombinedLine.orHyphen(exchange.details().tlsVersion());
            case TLS_CIPHER -> CombinedLine.orHyphen(exchange.details().tlsCipher());
            case CONTEXT -> CombinedLine.orHyphen(exchange.context());
            case PEER -> CombinedLine.orHyphen(exchange.peer());
            case NODE -> CombinedLine.orHyphen(line.node());
            case IDENTITY -> CombinedLine.orHyphen(exchange.identity());
            case STATUS -> exchange.status();
            case IN -> exchange.requestBytes();
            case OUT -> exchange.answerBytes();
            case QUEUE_US -> AccessLine.micros(exchange.queueNanos());
            case PEER_US -> AccessLine.micros(exchange.peerNanos());
            case FIRST_BYTE_US -> AccessLine.micros(exchange.firstByteNanos());
            case OTHER_US -> line.otherMicros();
            case TOTAL_US -> AccessLine.micros(exchange.totalNanos());
            case RETRIES -> exchange.retries();
            case WAY -> CombinedLine.orHyphen(exchange.way());
            case CACHE -> CombinedLine.orHyphen(exchange.cache());
            case REASON -> exchange.reason();
            case REFERER -> CombinedLine.orHyphen(exchange.details().referer());
            case USER_AGENT -> CombinedLine.orHyphen(exchange.details().userAgent());
        };
    }
}
