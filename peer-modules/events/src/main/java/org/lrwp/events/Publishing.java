package org.lrwp.events;

import org.lrwp.events.channel.Channels;
import org.lrwp.events.channel.Draft;
import org.lrwp.events.channel.Publication;
import org.lrwp.events.event.EventData;
import org.lrwp.events.event.EventId;
import org.lrwp.events.fanout.FanOut;
import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Publishes what requests bring. Thread-safe; never blocks. */
final class Publishing {
    /** What one may choose as a key; longer ones would fill the memory. */
    private static final int LONGEST_KEY = 200;

    private final Channels channels;
    private final FanOut fanOut;
    private final Counters counters;
    private final Executor executor;

    /**
     * Makes it.
     *
     * @param executor runs what may wait for a disk; refuses what it cannot take
     */
    Publishing(Channels channels, FanOut fanOut, Counters counters, Executor executor) {
        this.channels = channels;
        this.fanOut = fanOut;
        this.counters = counters;
        this.executor = executor;
    }

    /** Publishes the body of an allowed request, and answers it. */
    void publish(Call call, ByteBuffer body) {
        String key = call.header("Idempotency-Key");
        if (key.length() > LONGEST_KEY) {
            call.answer(400, "the Idempotency-Key is longer than " + LONGEST_KEY);
            return;
        }
        EventData data;
        try {
            data = EventData.read(call.header("Content-Type"), body);
        } catch (IllegalArgumentException e) {
            call.answer(400, String.valueOf(e.getMessage()));
            return;
        }
        Draft draft = new Draft(call.channels(), data, key);
        try {
            executor.execute(() -> publish(call, draft));
        } catch (RejectedExecutionException e) {
            counters.full.increment();
            call.answerLater(503, "too many events wait to be kept", fanOut.retrySeconds());
        }
    }

    private void publish(Call call, Draft draft) {
        switch (channels.publish(draft)) {
            case Publication.Done(EventId id, var changed) -> {
                counters.published.increment();
                // First the waiting clients: whoever has published knows already.
                fanOut.published(changed);
                created(call, id);
            }
            case Publication.Before(EventId id) -> {
                counters.repeated.increment();
                created(call, id);
            }
            case Publication.KeyTaken() ->
                    call.answer(422, "another event was published with this Idempotency-Key");
            case Publication.NoChannel() -> call.answer(404, "there is no such channel");
            case Publication.TooManyChannels() -> {
                counters.full.increment();
                call.answerLater(503, "there are too many channels", fanOut.retrySeconds());
            }
            case Publication.NotKept() -> call.answer(500, "the event could not be kept");
        }
    }

    private static void created(Call call, EventId id) {
        List<HeaderField> headers = new ArrayList<>(call.headers());
        headers.add(new HeaderField("Last-Event-ID", id.toString()));
        Answers.json(
                call.exchange(),
                201,
                json -> {
                    json.writeStartObject();
                    json.writeStringField("id", id.toString());
                    json.writeEndObject();
                },
                headers);
    }
}
