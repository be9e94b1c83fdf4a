package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.PrivateFile;
import org.lrwp.files.UnsafeFileException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;

/**
 * Finds or makes the file, and maps it.
 *
 * <p>Bytes that a file system has promised and cannot give kill whoever touches them in the map, so
 * each byte is written before the file is mapped: a full file system is an error at the start. A
 * file that was copied may have lost its bytes to holes; it is told by its inode and written again.
 *
 * <p>A file that is of no use is unlinked and made anew, never cut short: others may have it
 * mapped. One that somebody else may have written is refused.
 */
final class MapFile {
    private static final int PIECE = 1 << 20;

    private final CacheMapConfig config;
    private final Path file;

    /**
     * A file that is mapped.
     *
     * @param map all of it
     * @param head what it says of itself
     * @param outcome what became of it
     * @param reason why
     */
    record Mapped(
            MemorySegment map, FileHead head, RecoveryReport.Outcome outcome, String reason) {}

    MapFile(CacheMapConfig config) {
        this.config = config;
        this.file = config.file();
    }

    /** Maps the file; the caller holds its lock. */
    Mapped open(Arena arena) throws CacheFileException {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return create(arena, RecoveryReport.Outcome.CREATED, "there was no file");
            }
            try (FileChannel channel = PrivateFile.open(file)) {
                return open(channel, arena);
            }
        } catch (CacheFileException e) {
            throw e;
        } catch (UnsafeFileException e) {
            throw new CacheFileException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CacheFileException(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private Mapped open(FileChannel channel, Arena arena) throws IOException {
        if (channel.size() == 0) {
            return create(arena, RecoveryReport.Outcome.CREATED, "there was no file");
        }
        FileHead head = readHead(channel);
        String fault = head == null ? "its head is damaged" : misfit(head, channel.size());
        if (head == null || fault != null) {
            return create(arena, RecoveryReport.Outcome.RECREATED, String.valueOf(fault));
        }
        return reopen(channel, arena, head);
    }

    private @Nullable FileHead readHead(FileChannel channel) throws IOException {
        ByteBuffer first = page(channel, 0);
        FileHead head = FileHead.read(first);
        if (head != null) {
            return head;
        }
        ByteBuffer last = page(channel, channel.size() - Layout.PAGE);
        FileHead copy = FileHead.read(last);
        if (copy == null && !FileHead.isOurs(first) && !FileHead.isOurs(last)) {
            throw new CacheFileException(
                    file + " is not a cache file; it was not touched: name another file");
        }
        return copy;
    }

    private static ByteBuffer page(FileChannel channel, long at) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(Layout.PAGE);
        while (page.hasRemaining() && channel.read(page, Math.max(0, at) + page.position()) > 0) {
            // Read on.
        }
        return page.flip();
    }

    private @Nullable String misfit(FileHead head, long size) {
        if (head.version() != FileHead.VERSION) {
            return "its format has version " + head.version() + ", not " + FileHead.VERSION;
        }
        int probation = Layout.probation(config.segmentSize(), config.eviction());
        if (head.segmentSize() != config.segmentSize() || head.segments() != config.segments()) {
            return "it has %d segments of %d bytes, not %d of %d"
                    .formatted(
                            head.segments(),
                            head.segmentSize(),
                            config.segments(),
                            config.segmentSize());
        }
        if (head.probation() != probation) {
            return "its segments are not laid out for eviction " + config.eviction();
        }
        if (size != head.fileSize()) {
            return "it has " + size + " bytes, not " + head.fileSize();
        }
        return null;
    }

    private Mapped reopen(FileChannel channel, Arena arena, FileHead head) throws IOException {
        FileState now = FileState.now(file, config.clock().millis());
        MemorySegment map = map(channel, arena, head);
        FileState before = FileState.read(map);
        if (!before.clean() && !before.isOfBoot(now)) {
            return create(
                    arena,
                    RecoveryReport.Outcome.RECREATED,
                    "it was open when the machine went down");
        }
        if (before.inode() != now.inode()) {
            writeAgain(channel, head.fileSize());
        }
        writeHeads(channel, head);
        now.write(map);
        return new Mapped(
                map,
                head,
                RecoveryReport.Outcome.REOPENED,
                before.clean()
                        ? "it was closed in order"
                        : "process " + before.process() + " has ended without closing it");
    }

    private Mapped create(Arena arena, RecoveryReport.Outcome outcome, String reason)
            throws IOException {
        Files.deleteIfExists(file);
        Path made = Path.of(file + ".new");
        Files.deleteIfExists(made);
        SecureRandom random = new SecureRandom();
        FileHead head =
                new FileHead(
                        FileHead.VERSION,
                        config.segmentSize(),
                        config.segments(),
                        Layout.probation(config.segmentSize(), config.eviction()),
                        random.nextLong(),
                        random.nextLong(),
                        config.clock().millis());
        checkSpace(head.fileSize());
        try (FileChannel channel = PrivateFile.create(made)) {
            reserve(channel, head.fileSize());
            writeHeads(channel, head);
            MemorySegment map = map(channel, arena, head);
            FileState.now(made, config.clock().millis()).write(map);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            return new Mapped(map, head, outcome, reason);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private void checkSpace(long bytes) throws IOException {
        FileStore store = Files.getFileStore(folder());
        if (store.getUsableSpace() < bytes) {
            throw noSpace(bytes, null);
        }
    }

    private void reserve(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE);
        try {
            for (long at = 0; at < bytes; ) {
                zeros.clear().limit((int) Math.min(PIECE, bytes - at));
                at += channel.write(zeros, at);
            }
        } catch (IOException e) {
            throw noSpace(bytes, e);
        }
    }

    private void writeAgain(FileChannel channel, long bytes) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        try {
            for (long at = 0; at < bytes; ) {
                piece.clear();
                channel.read(piece, at);
                piece.flip();
                while (piece.hasRemaining()) {
                    at += channel.write(piece, at);
                }
            }
        } catch (IOException e) {
            throw noSpace(bytes, e);
        }
    }

    private CacheFileException noSpace(long bytes, @Nullable IOException cause) throws IOException {
        FileStore store = Files.getFileStore(folder());
        String text =
                "%s needs %d bytes, but its file system (%s) has %d free of %d"
                        .formatted(
                                file,
                                bytes,
                                store.name(),
                                store.getUsableSpace(),
                                store.getTotalSpace());
        return cause == null
                ? new CacheFileException(text)
                : new CacheFileException(text + ": " + cause.getMessage(), cause);
    }

    private Path folder() {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    private static void writeHeads(FileChannel channel, FileHead head) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(FileHead.LENGTH);
        head.write(bytes);
        channel.write(bytes.duplicate(), 0);
        channel.write(bytes.duplicate(), head.fileSize() - Layout.PAGE);
    }

    private static MemorySegment map(FileChannel channel, Arena arena, FileHead head)
            throws IOException {
        return channel.map(MapMode.READ_WRITE, 0, head.fileSize(), arena);
    }
}
