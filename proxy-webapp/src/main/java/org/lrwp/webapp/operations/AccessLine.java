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
        return words("exchange", dated) + word(" way=", exchange.way()) + reason();
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
                + word(" trace=", exchange.details().trace().id())
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
                + (exchange.identity().isEmpty()
                        ? ""
                        : " identity=\"" + Escaper.escape(exchange.identity()) + "\"")
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
                + " first-byte-us="
                + micros(exchange.firstByteNanos())
                + " total-us="
                + micros(exchange.totalNanos())
                + " retries="
                + exchange.retries()
                + word(" tls=", tls())
                + word(" cache=", exchange.cache());
    }

    /** A word with its name; nothing where there is none. */
    private static String word(String name, String word) {
        return word.isEmpty() ? "" : name + Escaper.escape(word);
    }

    /** Version and cipher suite, as far as they are known. */
    private String tls() {
        String version = exchange.details().tlsVersion();
        String cipher = exchange.details().tlsCipher();
        return version.isEmpty() || cipher.isEmpty() ? version + cipher : version + "/" + cipher;
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
