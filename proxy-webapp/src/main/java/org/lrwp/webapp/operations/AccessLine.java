package org.lrwp.webapp.operations;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.cluster.Cluster;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A line of the access log.
 *
 * @param time when the exchange ended
 * @param exchange what happened
 */
record AccessLine(Instant time, ExchangeRecord exchange) {
    /**
     * The line as text.
     *
     * @param dated whether with the time; a logger adds it by itself
     */
    String text(boolean dated) {
        return words("exchange", dated)
                + (exchange.way().isEmpty() ? "" : " way=" + exchange.way())
                + reason();
    }

    /**
     * The line in the slow log as text.
     *
     * @param dated as for text
     */
    String slowText(boolean dated) {
        return words("slow", dated) + " other-us=" + otherMicros() + reason();
    }

    private String words(String event, boolean dated) {
        return event
                + (dated ? " time=" + time : "")
                + " id="
                + exchange.id()
                + " client="
                + exchange.client()
                + " request=\""
                + Escaper.escape(exchange.method() + " " + exchange.target())
                + "\" context=\""
                + Escaper.escape(exchange.context())
                + "\" peer=\""
                + Escaper.escape(exchange.peer())
                + "\""
                + (node().isEmpty() ? "" : " node=" + node())
                + " status="
                + exchange.status()
                + " in="
                + exchange.requestBytes()
                + " out="
                + exchange.answerBytes()
                + " queue-us="
                + micros(exchange.queueNanos())
                + " peer-us="
                + micros(exchange.peerNanos())
                + " total-us="
                + micros(exchange.totalNanos())
                + " retries="
                + exchange.retries();
    }

    private String reason() {
        return " reason=" + exchange.reason();
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
        line.writeStringField("client", exchange.client());
        line.writeStringField("method", exchange.method());
        line.writeStringField("target", Escaper.escape(exchange.target()));
        line.writeStringField("context", Escaper.escape(exchange.context()));
        line.writeStringField("peer", Escaper.escape(exchange.peer()));
        if (!node().isEmpty()) {
            line.writeStringField("node", node());
        }
        line.writeNumberField("status", exchange.status());
        line.writeNumberField("in", exchange.requestBytes());
        line.writeNumberField("out", exchange.answerBytes());
        line.writeNumberField("queue-us", micros(exchange.queueNanos()));
        line.writeNumberField("peer-us", micros(exchange.peerNanos()));
        line.writeNumberField("total-us", micros(exchange.totalNanos()));
        line.writeNumberField("retries", exchange.retries());
        if (!exchange.way().isEmpty()) {
            line.writeStringField("way", exchange.way());
        }
        line.writeStringField("reason", exchange.reason());
    }

    /** The node of the cluster that had the request last; empty when it stayed here. */
    String node() {
        String peer = exchange.peer();
        return peer.startsWith(Cluster.NODE) ? peer.substring(Cluster.NODE.length()) : "";
    }

    /** What is the client's and the proxy's own. */
    long otherMicros() {
        return micros(exchange.totalNanos() - exchange.queueNanos() - exchange.peerNanos());
    }

    static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
