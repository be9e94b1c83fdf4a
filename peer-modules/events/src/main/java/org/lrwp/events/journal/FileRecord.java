package org.lrwp.events.journal;

import org.lrwp.events.event.EventData;
import org.lrwp.events.event.EventId;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What stands in the file, one after the other.
 *
 * <pre>
 *   record  = length(4) crc32c-of-content(4) content
 *   content = 'E' epoch(8) sequence(8) wall-millis(8) J-or-T(1) channels(1) channel* bytes
 *           | 'R' epoch(8) begins-behind(8) boot-id
 *           | 'F' position(8) channel
 *   channel = length(1) bytes
 * </pre>
 *
 * <p>Numbers have their highest byte first; the last text of a content goes to its end.
 */
sealed interface FileRecord {
    /** Length and checksum. */
    int HEAD = 8;

    /** An event, in channels. */
    record Kept(EventId id, long wallMillis, List<String> channels, EventData data)
            implements FileRecord {
        public Kept {
            channels = List.copyOf(channels);
        }
    }

    /** A run of the module begins, on a machine that was started as the boot id says. */
    record Run(long epoch, long behind, String bootId) implements FileRecord {}

    /** How far a channel has forgotten; the empty name: those that are not there any more. */
    record Forgot(String channel, long position) implements FileRecord {}

    /** Writes a record with its head. */
    static ByteBuffer write(FileRecord record) {
        byte[] content =
                switch (record) {
                    case Kept kept -> kept(kept);
                    case Run run -> {
                        byte[] boot = run.bootId.getBytes(StandardCharsets.UTF_8);
                        yield ByteBuffer.allocate(17 + boot.length)
                                .put((byte) 'R')
                                .putLong(run.epoch)
                                .putLong(run.behind)
                                .put(boot)
                                .array();
                    }
                    case Forgot forgot -> {
                        byte[] name = forgot.channel.getBytes(StandardCharsets.UTF_8);
                        yield ByteBuffer.allocate(9 + name.length)
                                .put((byte) 'F')
                                .putLong(forgot.position)
                                .put(name)
                                .array();
                    }
                };
        return ByteBuffer.allocate(HEAD + content.length)
                .putInt(content.length)
                .putInt(checksum(ByteBuffer.wrap(content)))
                .put(content)
                .flip();
    }

    private static byte[] kept(Kept kept) {
        byte[] bytes = kept.data.text().getBytes(StandardCharsets.UTF_8);
        int names = kept.channels.stream().mapToInt(name -> 1 + name.length()).sum();
        ByteBuffer content = ByteBuffer.allocate(27 + names + bytes.length);
        content.put((byte) 'E').putLong(kept.id.epoch()).putLong(kept.id.sequence());
        content.putLong(kept.wallMillis).put(letter(kept.data.kind()));
        content.put((byte) kept.channels.size());
        for (String name : kept.channels) {
            content.put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
        }
        return content.put(bytes).array();
    }

    /** The checksum of what a buffer has left. */
    static int checksum(ByteBuffer content) {
        CRC32C checksum = new CRC32C();
        checksum.update(content.duplicate());
        return (int) checksum.getValue();
    }

    /**
     * Reads the content of a record.
     *
     * @throws IllegalArgumentException when it is none
     */
    static FileRecord read(ByteBuffer content) {
        try {
            return switch (content.get()) {
                case 'E' -> kept(content);
                case 'R' -> new Run(content.getLong(), content.getLong(), rest(content));
                case 'F' -> {
                    long position = content.getLong();
                    yield new Forgot(rest(content), position);
                }
                default -> throw new IllegalArgumentException("a record of no known kind");
            };
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a record that is too short", e);
        }
    }

    private static Kept kept(ByteBuffer content) {
        EventId id = new EventId(content.getLong(), content.getLong());
        long wall = content.getLong();
        EventData.Kind kind = kind(content.get());
        int count = content.get() & 0xff;
        List<String> channels = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[content.get() & 0xff];
            content.get(name);
            channels.add(new String(name, StandardCharsets.US_ASCII));
        }
        return new Kept(id, wall, channels, new EventData(kind, rest(content)));
    }

    private static byte letter(EventData.Kind kind) {
        return (byte) (kind == EventData.Kind.JSON ? 'J' : 'T');
    }

    private static EventData.Kind kind(byte letter) {
        return switch (letter) {
            case 'J' -> EventData.Kind.JSON;
            case 'T' -> EventData.Kind.TEXT;
            default -> throw new IllegalArgumentException("data of no known kind");
        };
    }

    private static String rest(ByteBuffer content) {
        return StandardCharsets.UTF_8.decode(content).toString();
    }
}
