package org.lrwp.events.event;

import org.lrwp.runtime.json.Json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** How events are written for a client, and whether its answer goes on. */
public enum Form {
    /** Server-sent events: HTML, section 9.2.5. */
    EVENT_STREAM(0, "text/event-stream; charset=utf-8", true) {
        @Override
        ByteBuffer write(Event event, boolean named) {
            StringBuilder text = new StringBuilder(event.data().text().length() + 64);
            text.append("id: ").append(event.id()).append('\n');
            if (named) {
                text.append("event: ").append(event.channel()).append('\n');
            }
            // A line end of any kind would end the field.
            for (String line : event.data().text().split("\r\n|\r|\n", -1)) {
                text.append("data: ").append(line).append('\n');
            }
            return bytes(text.append('\n').toString());
        }

        @Override
        public ByteBuffer join(List<ByteBuffer> events) {
            return concatenated("", events, "", "");
        }

        @Override
        public ByteBuffer gap(EventId from, EventId asked) {
            return bytes("event: gap\nid: " + from + "\ndata: " + gapObject(from, asked) + "\n\n");
        }

        @Override
        public ByteBuffer preamble(EventId from, long retryMillis) {
            return bytes("retry: " + retryMillis + "\nid: " + from + "\n\n");
        }

        @Override
        public ByteBuffer farewell(EventId from, long retryMillis) {
            return preamble(from, retryMillis);
        }

        @Override
        public ByteBuffer keepAlive() {
            return COMMENT.duplicate();
        }
    },

    /** A JSON object on each line. */
    LINES(1, "application/x-ndjson; charset=utf-8", true) {
        @Override
        ByteBuffer write(Event event, boolean named) {
            return bytes(object(event, named) + "\n");
        }

        @Override
        public ByteBuffer join(List<ByteBuffer> events) {
            return concatenated("", events, "", "");
        }

        @Override
        public ByteBuffer gap(EventId from, EventId asked) {
            return bytes(gapObject(from, asked) + "\n");
        }

        @Override
        public ByteBuffer preamble(EventId from, long retryMillis) {
            return bytes("\n");
        }

        @Override
        public ByteBuffer farewell(EventId from, long retryMillis) {
            return bytes(
                    Json.object(
                                    json -> {
                                        json.writeStringField("id", from.toString());
                                        json.writeNumberField("retryAfterMillis", retryMillis);
                                    })
                            + "\n");
        }

        @Override
        public ByteBuffer keepAlive() {
            return LINE_END.duplicate();
        }
    },

    /** A JSON array of what there is, and the answer is over. */
    POLL(2, "application/json; charset=utf-8", false) {
        @Override
        ByteBuffer write(Event event, boolean named) {
            return bytes("[" + object(event, named) + "]\n");
        }

        @Override
        public ByteBuffer join(List<ByteBuffer> events) {
            // Each is an array of one.
            List<ByteBuffer> objects =
                    events.stream().map(one -> one.slice(1, one.remaining() - 3)).toList();
            return concatenated("[", objects, ",\n", "]\n");
        }

        @Override
        public ByteBuffer gap(EventId from, EventId asked) {
            return bytes("[" + gapObject(from, asked) + "]\n");
        }

        @Override
        public ByteBuffer preamble(EventId from, long retryMillis) {
            return bytes("");
        }

        @Override
        public ByteBuffer farewell(EventId from, long retryMillis) {
            return bytes("");
        }

        @Override
        public ByteBuffer keepAlive() {
            return bytes("");
        }
    };

    private static final ByteBuffer COMMENT = bytes(":\n\n");
    private static final ByteBuffer LINE_END = bytes("\n");

    /** How many forms there are. */
    public static final int COUNT = 3;

    private final int number;
    private final String contentType;
    private final boolean stream;

    Form(int number, String contentType, boolean stream) {
        this.number = number;
        this.contentType = contentType;
        this.stream = stream;
    }

    /**
     * Finds the form that a client asks for.
     *
     * @param accept its header {@code Accept}; empty for none
     * @return the first of the streams that it names, else the poll
     */
    public static Form accepted(String accept) {
        for (String part : accept.split(",", -1)) {
            String type = part.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            if (type.equals("text/event-stream")) {
                return EVENT_STREAM;
            } else if (type.equals("application/x-ndjson")) {
                return LINES;
            } else if (type.equals("application/json")) {
                return POLL;
            }
        }
        return POLL;
    }

    /** One event; never changed afterwards, and with an array below it. */
    abstract ByteBuffer write(Event event, boolean named);

    /**
     * Puts several written events together.
     *
     * @param events as {@link Event#written} gives them, at least one
     * @return all of them, in their order
     */
    public abstract ByteBuffer join(List<ByteBuffer> events);

    /**
     * Tells a client that events are missing.
     *
     * @param from the position that what follows is behind
     * @param asked the position that the client was at
     * @return an event of its own kind: {@code {"id": from, "gap": asked}}
     */
    public abstract ByteBuffer gap(EventId from, EventId asked);

    /**
     * Begins a stream.
     *
     * @param from the position that it begins behind
     * @param retryMillis after what time a client shall come again when it ends
     * @return the first bytes
     */
    public abstract ByteBuffer preamble(EventId from, long retryMillis);

    /**
     * Ends a stream that the module ends.
     *
     * @param from the position to go on from
     * @param retryMillis after what time the client shall come again
     * @return the last bytes
     */
    public abstract ByteBuffer farewell(EventId from, long retryMillis);

    /**
     * Says nothing, so that nobody in between takes the connection for dead.
     *
     * @return a few bytes
     */
    public abstract ByteBuffer keepAlive();

    /**
     * Returns its place where something is kept for each form.
     *
     * @return from 0, below {@link #COUNT}
     */
    public int number() {
        return number;
    }

    /**
     * Returns the media type of the answer.
     *
     * @return the value of {@code Content-Type}
     */
    public String contentType() {
        return contentType;
    }

    /**
     * Says whether the answer goes on after an event.
     *
     * @return whether it does
     */
    public boolean isStream() {
        return stream;
    }

    private static String object(Event event, boolean named) {
        EventData data = event.data();
        return Json.object(
                json -> {
                    json.writeStringField("id", event.id().toString());
                    if (named) {
                        json.writeStringField("channel", event.channel());
                    }
                    json.writeFieldName("data");
                    if (data.kind() == EventData.Kind.JSON) {
                        json.writeRawValue(data.text());
                    } else {
                        json.writeString(data.text());
                    }
                });
    }

    private static String gapObject(EventId from, EventId asked) {
        return Json.object(
                json -> {
                    json.writeStringField("id", from.toString());
                    json.writeStringField("gap", asked.toString());
                });
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer concatenated(
            String begin, List<ByteBuffer> parts, String between, String end) {
        int size = begin.length() + end.length() + between.length() * (parts.size() - 1);
        for (ByteBuffer part : parts) {
            size += part.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(size).put(bytes(begin));
        boolean first = true;
        for (ByteBuffer part : parts) {
            if (!first) {
                all.put(bytes(between));
            }
            first = false;
            all.put(part.duplicate());
        }
        return all.put(bytes(end)).flip();
    }
}
