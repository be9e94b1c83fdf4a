package org.lrwp.events;

import org.lrwp.events.policy.EventsPolicy;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.util.ArrayList;
import java.util.List;

/**
 * One request for channels, with what is set at its beginning.
 *
 * @param exchange the exchange
 * @param policy what is set
 * @param channels names of channels, each once
 * @param query its parameters
 * @param headers headers of every answer
 */
record Call(
        PeerExchange exchange,
        EventsPolicy policy,
        List<String> channels,
        Query query,
        List<HeaderField> headers) {
    Call {
        channels = List.copyOf(channels);
        headers = List.copyOf(headers);
    }

    RequestHead head() {
        return exchange.request();
    }

    /** A header of the request; empty when it was not sent. */
    String header(String name) {
        String value = head().header(name);
        return value == null ? "" : value;
    }

    /** The channels as paths, signatures and questions name them. */
    String names() {
        return String.join(",", channels);
    }

    /** Answers with a sentence. */
    void answer(int status, String text, HeaderField... more) {
        List<HeaderField> all = new ArrayList<>(headers);
        all.addAll(List.of(more));
        Answers.text(exchange, status, text, all);
    }

    /** Sends the client away for so many seconds. */
    void answerLater(int status, String text, long seconds) {
        answer(status, text, new HeaderField("Retry-After", Long.toString(seconds)));
    }
}
