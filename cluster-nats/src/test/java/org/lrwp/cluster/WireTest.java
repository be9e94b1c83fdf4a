package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Messages as bytes, and bytes that are none. */
class WireTest {
    private static final byte[] SOME = {0, 1, -1};

    private static final List<Message> ALL =
            List.of(
                    new Message.Heartbeat(
                            "a",
                            Long.MIN_VALUE,
                            7,
                            "1.2",
                            true,
                            List.of(
                                    new Message.Load("/osp", "", 3, 2, 1),
                                    new Message.Load("/", "h\u00e4st", 0, 0, 0)),
                            List.of(new Message.Count("cache", 5))),
                    new Message.Word("a", 3, "cache", 1L << 40, SOME),
                    new Message.Request(
                            "a",
                            9,
                            "/osp",
                            "host",
                            "r1",
                            "POST",
                            "/osp/\u00e4",
                            "::1",
                            ByteBuffer.wrap(SOME),
                            ByteBuffer.wrap(SOME),
                            7),
                    new Message.Ready("[::1]:1083", 5),
                    new Message.Busy(-1),
                    new Message.Failed("peer-gone"),
                    new Message.Head(
                            200,
                            "Fine",
                            List.of(new HeaderField("A", "b")),
                            -1,
                            3,
                            false,
                            ByteBuffer.wrap(SOME)),
                    new Message.Data(7, 2, true, ByteBuffer.wrap(SOME)),
                    new Message.Broken(),
                    new Message.Ordered(
                            "a", new Order(Order.Kind.DRAIN_PEERS, "worker-1", "erika")),
                    new Message.Ordered("a", new Order(Order.Kind.RESUME_NODE, "", "admin")),
                    new Message.Done(-1),
                    new Message.Ack("an.1", 8),
                    new Message.Cancel("an.2"));

    private static byte[] pack() {
        var pack = new Wire.PackWriter();
        ALL.forEach(pack::add);
        return pack.bytes();
    }

    private static List<byte[]> all() {
        return Stream.concat(ALL.stream().map(Wire::bytes), Stream.of(pack())).toList();
    }

    @Test
    void aPackIsReadAsItWasWritten() {
        var pack = assertInstanceOf(Message.Pack.class, Wire.read(pack()));
        assertEquals(ALL.size(), pack.messages().size());
        for (int i = 0; i < ALL.size(); i++) {
            byte[] bytes = Wire.bytes(Wire.read(pack.messages().get(i)));
            assertArrayEquals(Wire.bytes(ALL.get(i)), bytes);
        }
        assertThrows(IllegalArgumentException.class, () -> Wire.bytes(pack));
    }

    @Test
    void everyMessageIsReadAsItWasWritten() {
        for (Message message : ALL) {
            byte[] bytes = Wire.bytes(message);
            Message read = Wire.read(bytes);
            assertEquals(message.getClass(), read.getClass());
            assertArrayEquals(bytes, Wire.bytes(read));
        }
    }

    @Test
    void aMessageThatEndsTooEarlyOrTooLateIsNone() {
        for (byte[] bytes : all()) {
            for (int length = 0; length < bytes.length; length++) {
                byte[] shorter = Arrays.copyOf(bytes, length);
                assertThrows(IllegalArgumentException.class, () -> Wire.read(shorter));
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThrows(IllegalArgumentException.class, () -> Wire.read(longer));
        }
    }

    @Test
    void anotherVersionAndAnotherTypeAreNone() {
        byte[] bytes = Wire.bytes(new Message.Broken());
        byte[] other = {2, bytes[1]};
        assertThrows(IllegalArgumentException.class, () -> Wire.read(other));
        byte[] unknown = {Wire.VERSION, '?'};
        assertThrows(IllegalArgumentException.class, () -> Wire.read(unknown));
    }

    @Test
    void changedBytesAreAMessageOrNone() {
        var random = new Random(1);
        List<byte[]> all = all();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = all.get(random.nextInt(all.size())).clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                Wire.read(bytes);
            } catch (IllegalArgumentException e) {
                // That is what it says when they are none.
            }
        }
    }
}
