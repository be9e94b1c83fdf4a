package org.lrwp.webapp.operations;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.cluster.Cluster;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.files.LineTime;
import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * A line of the access log.
 *
 * @param time when the exchange ended
 * @param exchange what happened
 */
record AccessLine(Instant time, ExchangeRecord exchange) {
    /** To the microsecond, as the durations of a line. */
    private static final LineTime TIME = new LineTime(ZoneOffset.UTC, "X", 6);

    /**
     * Writes the line as text.
     *
     * @param dated whether with the time; a logger adds it by itself
     * @param to gets it, behind what it has
     */
    void text(boolean dated, StringBuilder to) {
        words("exchange", dated, to);
        word(" way=", exchange.way(), to);
        reason(to);
    }

    /**
     * Writes the line in the slow log as text.
     *
     * @param dated as for text
     * @param to as for text
     */
    void slowText(boolean dated, StringBuilder to) {
        words("slow", dated, to);
        to.append(" other-us=").append(otherMicros());
        reason(to);
    }

    private void words(String event, boolean dated, StringBuilder to) {
        to.append(event);
        if (dated) {
            TIME.append(time, to.append(" time="));
        }
        to.append(" id=").append(exchange.id());
        word(" trace=", exchange.details().trace().id(), to);
        to.append(" client=").append(exchange.client());
        to.append(" request=\"").append(Escaper.escape(exchange.method()));
        to.append(' ').append(Escaper.escape(exchange.target()));
        to.append("\" context=\"").append(Escaper.escape(exchange.context()));
        to.append("\" peer=\"").append(Escaper.escape(exchange.peer())).append('"');
        String node = node();
        if (!node.isEmpty()) {
            to.append(" node=").append(node);
        }
        if (!exchange.identity().isEmpty()) {
            to.append(" identity=\"").append(Escaper.escape(exchange.identity())).append('"');
        }
        to.append(" status=").append(exchange.status());
        to.append(" in=").append(exchange.requestBytes());
        to.append(" out=").append(exchange.answerBytes());
        to.append(" queue-us=").append(micros(exchange.queueNanos()));
        to.append(" peer-us=").append(micros(exchange.peerNanos()));
        to.append(" first-byte-us=").append(micros(exchange.firstByteNanos()));
        to.append(" total-us=").append(micros(exchange.totalNanos()));
        to.append(" retries=").append(exchange.retries());
        word(" tls=", tls(), to);
        word(" cache=", exchange.cache(), to);
    }

    /** A word with its name; nothing where there is none. */
    private static void word(String name, String word, StringBuilder to) {
        if (!word.isEmpty()) {
            to.append(name).append(Escaper.escape(word));
        }
    }

    /** Version and cipher suite, as far as they are known. */
    private String tls() {
        String version = exchange.details().tlsVersion();
        String cipher = exchange.details().tlsCipher();
        return version.isEmpty() || cipher.isEmpty() ? version + cipher : version + "/" + cipher;
    }

    private void reason(StringBuilder to) {
        to.append(" reason=").append(exchange.reason());
    }

    /**
     * The line as a JSON object.
     *
     * @param dated as for text
     */
    String json(boolean dated) {
        return Json.object(line -> write(line, "exchange", dated));
    }

    /**
     * The line in the slow log as a JSON object.
     *
     * @param dated as for text
     */
    String slowJson(boolean dated) {
        return Json.object(
                line -> {
                    write(line, "slow", dated);
                    line.writeNumberField("other-us", otherMicros());
                });
    }

    private void write(JsonGenerator line, String event, boolean dated) throws IOException {
        line.writeStringField("event", event);
        if (dated) {
            line.writeStringField("time", time.toString());
        }
        line.writeStringField("id", exchange.id());
        writeWord(line, "trace", exchange.details().trace().id());
        line.writeStringField("client", exchange.client());
        line.writeStringField("method", exchange.method());
        line.writeStringField("target", Escaper.escape(exchange.target()));
        line.writeStringField("context", Escaper.escape(exchange.context()));
        line.writeStringField("peer", Escaper.escape(exchange.peer()));
        writeWord(line, "node", node());
        writeWord(line, "identity", exchange.identity());
        line.writeNumberField("status", exchange.status());
        line.writeNumberField("in", exchange.requestBytes());
        line.writeNumberField("out", exchange.answerBytes());
        line.writeNumberField("queue-us", micros(exchange.queueNanos()));
        line.writeNumberField("peer-us", micros(exchange.peerNanos()));
        line.writeNumberField("first-byte-us", micros(exchange.firstByteNanos()));
        line.writeNumberField("total-us", micros(exchange.totalNanos()));
        line.writeNumberField("retries", exchange.retries());
        writeWord(line, "tls-version", exchange.details().tlsVersion());
        writeWord(line, "tls-cipher", exchange.details().tlsCipher());
        writeWord(line, "cache", exchange.cache());
        writeWord(line, "way", exchange.way());
        line.writeStringField("reason", exchange.reason());
    }

    /** The node of the cluster that had the request last; empty when it stayed here. */
    String node() {
        String peer = exchange.peer();
        return peer.startsWith(Cluster.NODE) ? peer.substring(Cluster.NODE.length()) : "";
    }

    private static void writeWord(JsonGenerator line, String name, String word) throws IOException {
        if (!word.isEmpty()) {
            line.writeStringField(name, Escaper.escape(word));
        }
    }

    /** What is the client's and the proxy's own. */
    long otherMicros() {
        return micros(exchange.totalNanos() - exchange.queueNanos() - exchange.peerNanos());
    }

    static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
