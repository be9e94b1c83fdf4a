package org.lrwp.cluster;

import org.lrwp.protocol.HeaderField;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages as bytes: the version of this wire, the type, then the fields in the order of the
 * record. A text or a body has its length before it. Numbers are big-endian.
 */
final class Wire {
    /** A node of another version is not understood, and not heard. */
    static final byte VERSION = 1;

    private static final int MOST_ENTRIES = 100_000;

    private Wire() {}

    // ---- Writing.

    static byte[] bytes(Message message) {
        var out = new WireBytes();
        add(out, message);
        return out.copy(0, out.length());
    }

    private static void add(WireBytes out, Message message) {
        out.add(VERSION);
        write(out, message);
    }

    /** Makes the bytes of a {@link Message.Pack}, message by message. Not thread-safe. */
    static final class PackWriter {
        private static final int COUNT = 2;
        private static final int HEAD = COUNT + Integer.BYTES;

        private final WireBytes out = new WireBytes();
        private int count;
        private int last;

        PackWriter() {
            out.add(VERSION);
            out.add('P');
            out.addInt(0);
        }

        /** Begins anew, in the memory that it has. */
        void clear() {
            count = 0;
            out.cut(HEAD);
        }

        void add(Message message) {
            count++;
            last = out.length();
            out.addInt(0);
            Wire.add(out, message);
            out.setInt(last, out.length() - last - Integer.BYTES);
        }

        /** Takes the message back that was added last; once. */
        void removeLast() {
            count--;
            out.cut(last);
        }

        /** Bytes of the pack so far. */
        int length() {
            return out.length();
        }

        /** The pack; of a single message that message. */
        byte[] bytes() {
            if (count == 1) {
                return out.copy(HEAD + Integer.BYTES, out.length());
            }
            out.setInt(COUNT, count);
            return out.copy(0, out.length());
        }
    }

    private static void write(WireBytes out, Message message) {
        switch (message) {
            case Message.Heartbeat beat -> heartbeat(out, beat);
            case Message.Word word -> word(out, word);
            case Message.Request request -> request(out, request);
            case Message.Pack _ ->
                    throw new IllegalArgumentException("a pack is made by a PackWriter");
            case Message.Busy busy -> {
                out.add('B');
                out.addInt(busy.free());
            }
            case Message.Ready ready -> {
                out.add('Y');
                out.addText(ready.place());
                out.addLong(ready.epoch());
            }
            case Message.Failed failed -> {
                out.add('F');
                out.addText(failed.failure());
            }
            case Message.Head head -> head(out, head);
            case Message.Data data -> {
                out.add('D');
                out.addInt(data.number());
                out.addInt(data.free());
                out.add(data.last());
                out.addBlock(data.bytes());
            }
            case Message.Broken broken -> out.add('X');
            case Message.Ordered ordered -> ordered(out, ordered);
            case Message.Done done -> {
                out.add('Z');
                out.addInt(done.count());
            }
            case Message.Ack ack -> {
                out.add('K');
                out.addText(ack.answers());
                out.addInt(ack.count());
            }
            case Message.Cancel cancel -> {
                out.add('C');
                out.addText(cancel.answers());
            }
        }
    }

    private static void heartbeat(WireBytes out, Message.Heartbeat beat) {
        out.add('H');
        out.addText(beat.node());
        out.addLong(beat.epoch());
        out.addLong(beat.session());
        out.addText(beat.version());
        out.add(beat.draining());
        out.addInt(beat.contexts().size());
        for (Message.Load load : beat.contexts()) {
            out.addText(load.context());
            out.addText(load.virtualHost());
            out.addInt(load.slots());
            out.addInt(load.free());
            out.addInt(load.waiting());
        }
        out.addInt(beat.counts().size());
        for (Message.Count count : beat.counts()) {
            out.addText(count.topic());
            out.addLong(count.told());
        }
    }

    private static void word(WireBytes out, Message.Word word) {
        out.add('N');
        out.addText(word.node());
        out.addLong(word.epoch());
        out.addText(word.topic());
        out.addLong(word.number());
        out.addBlock(ByteBuffer.wrap(word.bytes()));
    }

    private static void ordered(WireBytes out, Message.Ordered ordered) {
        out.add('O');
        out.addText(ordered.node());
        out.add(ordered.order().kind().letter());
        out.addText(ordered.order().subject());
        out.addText(ordered.order().operator());
    }

    private static void request(WireBytes out, Message.Request request) {
        out.add('R');
        out.addText(request.node());
        out.addLong(request.session());
        out.addText(request.context());
        out.addText(request.virtualHost());
        out.addText(request.id());
        out.addText(request.method());
        out.addText(request.target());
        out.addText(request.client());
        out.addBlock(request.environment());
        out.addBlock(request.body());
        out.addLong(request.length());
    }

    private static void head(WireBytes out, Message.Head head) {
        out.add('A');
        out.addInt(head.status());
        out.addText(head.reason());
        out.addInt(head.fields().size());
        for (HeaderField field : head.fields()) {
            out.addText(field.name());
            out.addText(field.value());
        }
        out.addLong(head.length());
        out.addInt(head.free());
        out.add(head.last());
        out.addBlock(head.bytes());
    }

    // ---- Reading.

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException when it is none of this version
     */
    static Message read(byte[] bytes) {
        return read(ByteBuffer.wrap(bytes));
    }

    /**
     * Reads a message from all that a buffer has, which is backed by an array. Only those of a pack
     * are still in that array.
     *
     * @throws IllegalArgumentException when it is none of this version
     */
    static Message read(ByteBuffer in) {
        try {
            byte version = in.get();
            if (version != VERSION) {
                throw new IllegalArgumentException("version " + version);
            }
            Message message = read(in.get(), in);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes too many");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("it ends too early", e);
        }
    }

    private static Message read(byte type, ByteBuffer in) {
        return switch (type) {
            case 'H' ->
                    new Message.Heartbeat(
                            text(in),
                            in.getLong(),
                            in.getLong(),
                            text(in),
                            in.get() != 0,
                            loads(in),
                            counts(in));
            case 'N' -> new Message.Word(text(in), in.getLong(), text(in), in.getLong(), bytes(in));
            case 'R' ->
                    new Message.Request(
                            text(in),
                            in.getLong(),
                            text(in),
                            text(in),
                            text(in),
                            text(in),
                            text(in),
                            text(in),
                            block(in),
                            block(in),
                            in.getLong());
            case 'P' -> new Message.Pack(pack(in));
            case 'Y' -> new Message.Ready(text(in), in.getLong());
            case 'B' -> new Message.Busy(in.getInt());
            case 'F' -> new Message.Failed(text(in));
            case 'A' ->
                    new Message.Head(
                            in.getInt(),
                            text(in),
                            fields(in),
                            in.getLong(),
                            in.getInt(),
                            in.get() != 0,
                            block(in));
            case 'D' -> new Message.Data(in.getInt(), in.getInt(), in.get() != 0, block(in));
            case 'X' -> new Message.Broken();
            case 'O' ->
                    new Message.Ordered(
                            text(in), new Order(Order.Kind.of(in.get()), text(in), text(in)));
            case 'Z' -> new Message.Done(in.getInt());
            case 'K' -> new Message.Ack(text(in), in.getInt());
            case 'C' -> new Message.Cancel(text(in));
            default -> throw new IllegalArgumentException("type " + type);
        };
    }

    private static List<Message.Load> loads(ByteBuffer in) {
        List<Message.Load> loads = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            loads.add(new Message.Load(text(in), text(in), in.getInt(), in.getInt(), in.getInt()));
        }
        return loads;
    }

    private static List<Message.Count> counts(ByteBuffer in) {
        List<Message.Count> counts = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            counts.add(new Message.Count(text(in), in.getLong()));
        }
        return counts;
    }

    private static List<HeaderField> fields(ByteBuffer in) {
        List<HeaderField> fields = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            fields.add(new HeaderField(text(in), text(in)));
        }
        return fields;
    }

    private static List<ByteBuffer> pack(ByteBuffer in) {
        List<ByteBuffer> messages = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            int length = length(in);
            messages.add(in.slice(in.position(), length));
            in.position(in.position() + length);
        }
        return messages;
    }

    private static int count(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > MOST_ENTRIES) {
            throw new IllegalArgumentException(count + " entries");
        }
        return count;
    }

    private static String text(ByteBuffer in) {
        int length = length(in);
        int from = in.arrayOffset() + in.position();
        in.position(in.position() + length);
        return new String(in.array(), from, length, StandardCharsets.UTF_8);
    }

    private static ByteBuffer block(ByteBuffer in) {
        return ByteBuffer.wrap(bytes(in));
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[length(in)];
        in.get(bytes);
        return bytes;
    }

    private static int length(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("a length of " + length);
        }
        return length;
    }
}
