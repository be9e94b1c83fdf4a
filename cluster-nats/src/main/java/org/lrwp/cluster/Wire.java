package org.lrwp.cluster;

import org.lrwp.protocol.HeaderField;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            write(out, message);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Message message) throws IOException {
        switch (message) {
            case Message.Heartbeat beat -> heartbeat(out, beat);
            case Message.Word word -> word(out, word);
            case Message.Request request -> request(out, request);
            case Message.Pack pack -> {
                out.writeByte('P');
                out.writeInt(pack.messages().size());
                for (byte[] one : pack.messages()) {
                    block(out, one);
                }
            }
            case Message.Busy busy -> {
                out.writeByte('B');
                out.writeInt(busy.free());
            }
            case Message.Ready ready -> {
                out.writeByte('Y');
                text(out, ready.place());
                out.writeLong(ready.epoch());
            }
            case Message.Failed failed -> {
                out.writeByte('F');
                text(out, failed.failure());
            }
            case Message.Head head -> head(out, head);
            case Message.Data data -> {
                out.writeByte('D');
                out.writeInt(data.number());
                out.writeInt(data.free());
                out.writeBoolean(data.last());
                block(out, data.bytes());
            }
            case Message.Broken broken -> out.writeByte('X');
            case Message.Ordered ordered -> ordered(out, ordered);
            case Message.Done done -> {
                out.writeByte('Z');
                out.writeInt(done.count());
            }
            case Message.Ack ack -> {
                out.writeByte('K');
                text(out, ack.answers());
                out.writeInt(ack.count());
            }
            case Message.Cancel cancel -> {
                out.writeByte('C');
                text(out, cancel.answers());
            }
        }
    }

    private static void heartbeat(DataOutputStream out, Message.Heartbeat beat) throws IOException {
        out.writeByte('H');
        text(out, beat.node());
        out.writeLong(beat.epoch());
        out.writeLong(beat.session());
        text(out, beat.version());
        out.writeBoolean(beat.draining());
        out.writeInt(beat.contexts().size());
        for (Message.Load load : beat.contexts()) {
            text(out, load.context());
            text(out, load.virtualHost());
            out.writeInt(load.slots());
            out.writeInt(load.free());
            out.writeInt(load.waiting());
        }
        out.writeInt(beat.counts().size());
        for (Message.Count count : beat.counts()) {
            text(out, count.topic());
            out.writeLong(count.told());
        }
    }

    private static void word(DataOutputStream out, Message.Word word) throws IOException {
        out.writeByte('N');
        text(out, word.node());
        out.writeLong(word.epoch());
        text(out, word.topic());
        out.writeLong(word.number());
        block(out, word.bytes());
    }

    private static void ordered(DataOutputStream out, Message.Ordered ordered) throws IOException {
        out.writeByte('O');
        text(out, ordered.node());
        out.writeByte(ordered.order().kind().letter());
        text(out, ordered.order().subject());
        text(out, ordered.order().operator());
    }

    private static void request(DataOutputStream out, Message.Request request) throws IOException {
        out.writeByte('R');
        text(out, request.node());
        out.writeLong(request.session());
        text(out, request.context());
        text(out, request.virtualHost());
        text(out, request.id());
        text(out, request.method());
        text(out, request.target());
        text(out, request.client());
        block(out, request.environment());
        block(out, request.body());
        out.writeLong(request.length());
    }

    private static void head(DataOutputStream out, Message.Head head) throws IOException {
        out.writeByte('A');
        out.writeInt(head.status());
        text(out, head.reason());
        out.writeInt(head.fields().size());
        for (HeaderField field : head.fields()) {
            text(out, field.name());
            text(out, field.value());
        }
        out.writeLong(head.length());
        out.writeInt(head.free());
        out.writeBoolean(head.last());
        block(out, head.bytes());
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        block(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void block(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    // ---- Reading.

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException when it is none of this version
     */
    static Message read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
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
            case 'N' -> new Message.Word(text(in), in.getLong(), text(in), in.getLong(), block(in));
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
            case 'P' -> new Message.Pack(blocks(in));
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

    private static List<byte[]> blocks(ByteBuffer in) {
        List<byte[]> blocks = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            blocks.add(block(in));
        }
        return blocks;
    }

    private static int count(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > MOST_ENTRIES) {
            throw new IllegalArgumentException(count + " entries");
        }
        return count;
    }

    private static String text(ByteBuffer in) {
        return new String(block(in), StandardCharsets.UTF_8);
    }

    private static byte[] block(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("a length of " + length);
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
