package org.lrwp.osp.cdr;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.file.PrivateFiles;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The files of a journal. An entry is its length (4 bytes), the CRC32C of its bytes (4) and its
 * bytes. One thread writes; another may read and delete what is sealed.
 */
final class Segments {
    /** What an entry takes beside its bytes. */
    static final int HEAD = 8;

    private static final String SUFFIX = ".journal";
    private static final int MOST_ENTRY = 1024 * 1024;

    /** Forces what was written to the disk. */
    @FunctionalInterface
    interface Force {
        void force(FileChannel written) throws IOException;
    }

    private final Path folder;
    private final Force force;

    /** With what was told of each: after a fault a file may hold more than anybody was told. */
    private final ConcurrentSkipListMap<Path, Long> sealed = new ConcurrentSkipListMap<>();

    private long number;
    private @Nullable Path current;
    private @Nullable FileChannel channel;
    private long written;

    Segments(Path folder, Force force) throws IOException {
        this.folder = PrivateFiles.makeFolder(folder);
        this.force = force;
        for (Path each : all()) {
            number = Math.max(number, numberOf(each));
            sealed.put(each, Files.size(each));
        }
    }

    /**
     * Writes entries; the length of the segment.
     *
     * @param lasting whether they, and all before them, are forced to the disk
     */
    long append(List<byte[]> entries, boolean lasting) throws IOException {
        FileChannel open = channel == null ? open() : channel;
        int length = 0;
        for (byte[] each : entries) {
            length += HEAD + each.length;
        }
        ByteBuffer buffer = ByteBuffer.allocate(length);
        for (byte[] each : entries) {
            buffer.putInt(each.length).putInt(checksum(each)).put(each);
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            open.write(buffer);
        }
        if (lasting) {
            force.force(open);
        }
        written += length;
        return written;
    }

    private FileChannel open() throws IOException {
        Path file = folder.resolve("%019d%s".formatted(++number, SUFFIX));
        FileChannel open = PrivateFiles.openNew(file, StandardOpenOption.WRITE);
        current = file;
        channel = open;
        written = 0;
        // The name of a new file lasts only when its folder was forced too.
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
        return open;
    }

    /** Ends the segment that is written, if any; the next entry begins another. */
    void seal() {
        FileChannel open = channel;
        if (open != null) {
            try {
                open.close();
            } catch (IOException ignored) {
                // Everything that counts was forced before.
            }
        }
        Path file = current;
        channel = null;
        current = null;
        if (file != null) {
            sealed.put(file, written);
        }
    }

    /**
     * What nobody writes any more, oldest first. Said by the writer, not found by looking: a file
     * that is just being made would look the same.
     */
    List<Path> sealed() {
        return List.copyOf(sealed.keySet());
    }

    /** What was there at the start, until the first of it is deleted. */
    long bytes() {
        return sealed.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Deletes a sealed segment; what was told of it: the lengths that {@link #append} took. */
    long delete(Path segment) throws IOException {
        Files.delete(segment);
        Long told = sealed.remove(segment);
        return told == null ? 0 : told;
    }

    /** Reads a sealed segment up to its end or to its first entry that is not whole. */
    static List<CdrEntry> read(Path segment) throws IOException {
        List<CdrEntry> entries = new ArrayList<>();
        try (InputStream file = Files.newInputStream(segment);
                DataInputStream in = new DataInputStream(new BufferedInputStream(file, 65_536))) {
            while (true) {
                int length = in.readInt();
                int checksum = in.readInt();
                if (length <= 0 || length > MOST_ENTRY) {
                    return entries;
                }
                byte[] bytes = in.readNBytes(length);
                if (bytes.length < length || checksum(bytes) != checksum) {
                    return entries;
                }
                entries.add(CdrEntry.read(bytes));
            }
        } catch (EOFException end) {
            return entries;
        }
    }

    private List<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }

    private static long numberOf(Path segment) {
        String name = String.valueOf(segment.getFileName()).replace(SUFFIX, "");
        return name.matches("[0-9]{1,18}|0[0-9]{18}") ? Long.parseLong(name) : 0;
    }

    private static int checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, bytes.length);
        return (int) sum.getValue();
    }
}
