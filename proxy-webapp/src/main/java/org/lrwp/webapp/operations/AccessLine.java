package org.lrwp.webapp.operations;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;

import org.lrwp.engine.exchange.ExchangeRecord;

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
        return "exchange "
                + (dated ? "time=" + time + " " : "")
                + "id="
                + exchange.id()
                + " client="
                + exchange.client()
                + " request=\""
                + Escaper.escape(exchange.method() + " " + exchange.target())
                + "\" context=\""
                + Escaper.escape(exchange.context())
                + "\" peer=\""
                + Escaper.escape(exchange.peer())
                + "\" status="
                + exchange.status()
                + " in="
                + exchange.requestOctets()
                + " out="
                + exchange.answerOctets()
                + " queue-us="
                + micros(exchange.queueNanos())
                + " peer-us="
                + micros(exchange.peerNanos())
                + " total-us="
                + micros(exchange.totalNanos())
                + " retries="
                + exchange.retries()
                + (exchange.way().isEmpty() ? "" : " way=" + exchange.way())
                + " reason="
                + exchange.reason();
    }

    /**
     * The line as a JSON object.
     *
     * @param dated as for text
     */
    String json(boolean dated) {
        JsonObjectBuilder line = Json.createObjectBuilder().add("event", "exchange");
        if (dated) {
            line.add("time", time.toString());
        }
        line.add("id", exchange.id())
                .add("client", exchange.client())
                .add("method", exchange.method())
                .add("target", Escaper.escape(exchange.target()))
                .add("context", Escaper.escape(exchange.context()))
                .add("peer", Escaper.escape(exchange.peer()))
                .add("status", exchange.status())
                .add("in", exchange.requestOctets())
                .add("out", exchange.answerOctets())
                .add("queue-us", micros(exchange.queueNanos()))
                .add("peer-us", micros(exchange.peerNanos()))
                .add("total-us", micros(exchange.totalNanos()))
                .add("retries", exchange.retries());
        if (!exchange.way().isEmpty()) {
            line.add("way", exchange.way());
        }
        return line.add("reason", exchange.reason()).build().toString();
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
