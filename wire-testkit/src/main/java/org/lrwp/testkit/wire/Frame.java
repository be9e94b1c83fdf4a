package org.lrwp.testkit.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A frame of LRWP 3, put together and taken apart without any code of the proxy. */
public final class Frame {
    /** What each side can do. */
    public static final int SETTINGS = 1;

    /** One more context. */
    public static final int REGISTER = 2;

    /** One context fewer. */
    public static final int UNREGISTER = 3;

    /** The answer to both. */
    public static final int REGISTERED = 4;

    /** A request. */
    public static final int REQUEST = 5;

    /** The begin of an answer. */
    public static final int RESPONSE = 6;

    /** More of a body. */
    public static final int DATA = 7;

    /** A handler is about to run. */
    public static final int STARTED = 8;

    /** Not started, and will not be. */
    public static final int REFUSED = 9;

    /** Ends the sender's direction. */
    public static final int CANCEL = 10;

    /** More bytes are welcome. */
    public static final int WINDOW = 11;

    /** Requests at once. */
    public static final int CAPACITY = 12;

    /** No new requests. */
    public static final int DRAIN = 13;

    /** Asks for a sign of life. */
    public static final int PING = 14;

    /** The sign of life. */
    public static final int PONG = 15;

    /** A broken rule. */
    public static final int ERROR = 16;

    /** Bytes of a head. */
    public static final int HEAD = 12;

    private static final int END = 1;

    private static final List<String> NAMES =
            List.of(
                    "0",
                    "SETTINGS",
                    "REGISTER",
                    "UNREGISTER",
                    "REGISTERED",
                    "REQUEST",
                    "RESPONSE",
                    "DATA",
                    "STARTED",
                    "REFUSED",
                    "CANCEL",
                    "WINDOW",
                    "CAPACITY",
                    "DRAIN",
                    "PING",
                    "PONG",
                    "ERROR");

    private final int type;
    private final int flags;
    private final int stream;
    private final byte[] payload;

    /** A frame with all its flags. */
    public Frame(int type, int flags, int stream, byte[] payload) {
        this.type = type;
        this.flags = flags;
        this.stream = stream;
        this.payload = payload.clone();
    }

    /** The frame of a head and its payload. */
    static Frame of(ByteBuffer head, byte[] payload) {
        if (head.getShort(6) != 0) {
            throw new AssertionError("reserved bytes are not 0");
        }
        return new Frame(head.get(4) & 0xFF, head.get(5), head.getInt(8), payload);
    }

    /** The frames of bytes, which end with the last of them. */
    public static List<Frame> all(byte[] bytes) {
        List<Frame> frames = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            ByteBuffer head = rest.slice(rest.position(), HEAD);
            byte[] payload = new byte[head.getInt(0)];
            rest.position(rest.position() + HEAD).get(payload);
            frames.add(of(head, payload));
        }
        return frames;
    }

    /** The number of its type. */
    public int type() {
        return type;
    }

    /** Its stream. */
    public int stream() {
        return stream;
    }

    /** Its bytes behind the head. */
    public byte[] payload() {
        return payload.clone();
    }

    /** A frame that ends nothing. */
    public static Frame of(int type, int stream, byte[] payload) {
        return new Frame(type, 0, stream, payload);
    }

    /** A frame whose payload is a text in ISO 8859-1. */
    public static Frame of(int type, int stream, String payload) {
        return of(type, stream, Bytes.of(payload));
    }

    /** A frame without payload. */
    public static Frame of(int type, int stream) {
        return of(type, stream, new byte[0]);
    }

    /** A frame whose payload is a number of four bytes. */
    public static Frame number(int type, int stream, long number) {
        return of(type, stream, ByteBuffer.allocate(4).putInt((int) number).array());
    }

    /** The same frame as the last of its direction. */
    public Frame ending() {
        return new Frame(type, flags | END, stream, payload);
    }

    /** Whether it is the last of its direction. */
    public boolean isEnd() {
        return (flags & END) != 0;
    }

    /** The payload in ISO 8859-1. */
    public String text() {
        return Bytes.text(payload);
    }

    /** The payload as a number of four bytes. */
    public long number() {
        if (payload.length != 4) {
            throw new AssertionError("not a number: " + this);
        }
        return ByteBuffer.wrap(payload).getInt() & 0xFFFF_FFFFL;
    }

    /** The bytes of the wire. */
    public byte[] bytes() {
        return ByteBuffer.allocate(HEAD + payload.length)
                .putInt(payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putShort((short) 0)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** What follows the CGI head of a RESPONSE. */
    public String body() {
        String text = text();
        return text.substring(text.indexOf("\r\n\r\n") + 4);
    }

    /** The name of a type, or its number. */
    static String name(int type) {
        return type < NAMES.size() ? NAMES.get(type) : "" + type;
    }

    /** Stream, name, END and what the payload says, NULs as bars. */
    public String shown() {
        String value =
                switch (type) {
                    case WINDOW -> "" + number();
                    case REQUEST -> text().substring(4).replace('\0', '|');
                    default -> text();
                };
        String name = Integer.toUnsignedString(stream) + " " + name(type) + (isEnd() ? " END" : "");
        return value.isEmpty() ? name : name + " " + value;
    }

    @Override
    public String toString() {
        String text = text();
        String start = text.length() > 200 ? text.substring(0, 200) + "..." : text;
        return stream
                + " "
                + name(type)
                + (isEnd() ? " END " : " ")
                + payload.length
                + ": "
                + start;
    }
}
