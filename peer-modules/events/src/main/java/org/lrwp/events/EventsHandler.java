package org.lrwp.events;

import com.fasterxml.jackson.core.JsonGenerator;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.access.Action;
import org.lrwp.events.channel.ChannelName;
import org.lrwp.events.channel.ChannelView;
import org.lrwp.events.channel.Channels;
import org.lrwp.events.policy.EventsPolicy;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Answers the requests: which channels, who may, and what becomes of them. Returns at once on
 * whatever thread.
 */
final class EventsHandler implements ExchangeHandler {
    private static final String OWN = "/-/";
    private static final String PRESENCE = "/-/channels/";
    private static final HeaderField ALLOWED = new HeaderField("Allow", "GET, POST, OPTIONS");
    private static final List<HeaderField> PREFLIGHT =
            List.of(
                    ALLOWED,
                    new HeaderField("Access-Control-Allow-Methods", "GET, POST"),
                    new HeaderField(
                            "Access-Control-Allow-Headers",
                            "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"),
                    new HeaderField("Access-Control-Max-Age", "600"));

    /** What the handler hands requests to. */
    record Parts(
            Channels channels, Doorkeeper door, Subscribing subscribing, Publishing publishing) {}

    private final Supplier<EventsPolicy> policy;
    private final Parts parts;
    private final DemoPage demo = new DemoPage();
    private volatile boolean draining;

    EventsHandler(Supplier<EventsPolicy> policy, Parts parts) {
        this.policy = policy;
        this.parts = parts;
    }

    /** From now on everybody is sent away. */
    void drain() {
        draining = true;
    }

    @Override
    public void handle(PeerExchange exchange) {
        EventsPolicy now = policy.get();
        String path = exchange.request().pathInfo();
        if (path.startsWith(PRESENCE)) {
            Call call = call(exchange, now, path.substring(PRESENCE.length()));
            if (call != null) {
                present(call);
            }
        } else if (path.startsWith(OWN)) {
            if (!now.demo() || !demo.answer(exchange, path.substring(OWN.length()))) {
                Answers.text(exchange, 404, "not found", List.of());
            }
        } else if (path.length() < 2) {
            Answers.text(exchange, 404, "name a channel, or several: a,b", List.of());
        } else {
            Call call = call(exchange, now, path.substring(1));
            if (call != null) {
                channels(call);
            }
        }
    }

    /** The call; null when the names are none, which has been answered. */
    private static @Nullable Call call(PeerExchange exchange, EventsPolicy now, String names) {
        RequestHead head = exchange.request();
        List<HeaderField> headers = now.cors().headers(head);
        try {
            List<String> channels = ChannelName.list(names, now.requests().channels());
            return new Call(exchange, now, channels, Query.parse(head.query()), headers);
        } catch (IllegalArgumentException e) {
            Answers.text(exchange, 400, String.valueOf(e.getMessage()), headers);
            return null;
        }
    }

    private void channels(Call call) {
        switch (call.head().method()) {
            case "OPTIONS" -> {
                List<HeaderField> headers = new ArrayList<>(call.headers());
                headers.addAll(PREFLIGHT);
                Answers.nothing(call.exchange(), headers);
            }
            case "GET" -> {
                if (isOpen(call)) {
                    letSubscribe(call, parts.subscribing::subscribe);
                }
            }
            case "POST" -> {
                if (isOpen(call)) {
                    publish(call);
                }
            }
            default -> call.answer(405, "channels take GET and POST", ALLOWED);
        }
    }

    private boolean isOpen(Call call) {
        if (draining) {
            call.answerLater(503, "the module ends", 1);
        }
        return !draining;
    }

    private void letSubscribe(Call call, Consumer<Call> in) {
        switch (parts.door.judge(call, Action.SUBSCRIBE)) {
            case ALLOWED -> in.accept(call);
            case ASK -> parts.door.ask(call, Action.SUBSCRIBE, in);
            case ANSWERED -> {}
        }
    }

    private void publish(Call call) {
        Doorkeeper.Outcome outcome = parts.door.judge(call, Action.PUBLISH);
        if (outcome == Doorkeeper.Outcome.ANSWERED) {
            return;
        }
        int most = call.policy().requests().eventBytes();
        if (call.head().bodyLength() > most) {
            call.answer(413, "an event has " + most + " bytes at most");
            return;
        }
        Consumer<ByteBuffer> whole =
                outcome == Doorkeeper.Outcome.ALLOWED
                        ? body -> parts.publishing.publish(call, body)
                        : body ->
                                parts.door.ask(
                                        call,
                                        Action.PUBLISH,
                                        allowed -> parts.publishing.publish(allowed, body));
        call.exchange().listen(new PublishBody(call, most, whole));
    }

    private void present(Call call) {
        if (!call.head().method().equals("GET")) {
            call.answer(405, "this takes GET", new HeaderField("Allow", "GET"));
            return;
        }
        letSubscribe(
                call,
                allowed -> {
                    List<ChannelView> views = parts.channels.views(allowed.channels());
                    Answers.json(
                            allowed.exchange(), 200, json -> write(json, views), allowed.headers());
                });
    }

    private static void write(JsonGenerator json, List<ChannelView> views) throws IOException {
        json.writeStartArray();
        for (ChannelView view : views) {
            json.writeStartObject();
            json.writeStringField("channel", view.name());
            json.writeNumberField("waiting", view.waiters());
            json.writeNumberField("events", view.events());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
