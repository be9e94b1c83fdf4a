package org.lrwp.events.journal;

import org.lrwp.events.channel.Epochs;
import org.lrwp.events.channel.Journal;
import org.lrwp.events.channel.Kept;
import org.lrwp.events.event.Event;
import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The file that keeps events over a restart.
 *
 * <p>Purpose: what a client was shown is there after the process was killed, and nothing else is.
 * Design: a record is in the file before its event is in a ring. At the start everything up to the
 * first record that is cut off or wrong counts, and the rest is cut away. A file that has grown too
 * large is written anew beside it, with what is still kept, and takes its place in one step. For
 * one thread at a time; blocks on the disk.
 */
public final class EventFile implements Journal, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventFile.class.getName());
    private static final byte[] MAGIC = "LRWPEVT1".getBytes(StandardCharsets.US_ASCII);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /**
     * How the file is used, now.
     *
     * @param size bytes at which it is written anew
     * @param forced whether each event is on the disk before anybody sees it
     */
    public record Use(LongSupplier size, BooleanSupplier forced) {}

    /**
     * The time.
     *
     * @param wall time of day
     * @param nanos the module's clock
     */
    public record Time(InstantSource wall, LongSupplier nanos) {}

    private final Path path;
    private final Use use;
    private final Time time;
    private final Disk disk;
    private final FileChannel lockFile;
    private final Restored restored;
    private FileChannel file;
    private long size;
    private long leastSize;

    /** The name of a new file lasts only when its folder was forced too. */
    private boolean newName = true;

    private Supplier<Kept> kept = () -> new Kept(List.of(), 0, Map.of());

    private EventFile(Path path, Use use, Time time, Disk disk, FileChannel lockFile)
            throws IOException {
        this.path = path;
        this.use = use;
        this.time = time;
        this.disk = disk;
        this.lockFile = lockFile;
        this.file = PrivateFile.open(path);
        try {
            this.restored = restore();
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Opens a file, makes it when it is not there, and cuts off what is not whole.
     *
     * @param path the file; beside it there are PATH.lock and, for a moment, PATH.new
     * @param use how it is used
     * @param time the time
     * @return the file
     * @throws IOException when it cannot be used, or another module uses it
     */
    public static EventFile open(Path path, Use use, Time time) throws IOException {
        return open(path, use, time, Disk.REAL);
    }

    static EventFile open(Path path, Use use, Time time, Disk disk) throws IOException {
        FileChannel lockFile = PrivateFile.open(path.resolveSibling(path.getFileName() + ".lock"));
        try {
            lock(lockFile);
            return new EventFile(path, use, time, disk, lockFile);
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static void lock(FileChannel lockFile) throws IOException {
        FileLock lock = null;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            LOG.log(Level.DEBUG, "event-file-locked", e);
        }
        if (lock == null) {
            throw new IOException("another module uses it");
        }
    }

    private Restored restore() throws IOException {
        long length = file.size();
        String boot = bootId();
        FileReading reading =
                new FileReading(time.wall.instant().toEpochMilli(), time.nanos.getAsLong());
        size = 0;
        if (length >= MAGIC.length) {
            checkMagic();
            size = reading.read(file, MAGIC.length);
        }
        boolean cut = size < length;
        if (cut) {
            LOG.log(
                    Level.WARNING,
                    "event-file-cut file={0} bytes={1}",
                    path,
                    Long.toString(length - size));
            file.truncate(size);
        }
        if (size == 0) {
            append(ByteBuffer.wrap(MAGIC));
        }
        String before = reading.bootId();
        // What was written when the machine itself went down may not have reached the disk.
        boolean wentDown = !before.isEmpty() && !boot.isEmpty() && !before.equals(boot);
        Restored found = reading.restored(cut || wentDown);
        append(FileRecord.write(run(found, boot)));
        appendForgotten(found.kept());
        return found;
    }

    private void checkMagic() throws IOException {
        ByteBuffer magic = ByteBuffer.allocate(MAGIC.length);
        while (magic.hasRemaining() && file.read(magic, magic.position()) >= 0) {
            // Until it is whole.
        }
        if (!magic.flip().equals(ByteBuffer.wrap(MAGIC))) {
            throw new IOException("not a file of events");
        }
    }

    private static FileRecord run(Restored found, String boot) {
        return new FileRecord.Run(found.epochs().current(), found.behind(), boot);
    }

    private static String bootId() {
        try {
            return Files.readString(BOOT_ID).strip();
        } catch (IOException e) {
            // Only Linux has it.
            return "";
        }
    }

    /**
     * Returns what the file had.
     *
     * @return what the channels begin with
     */
    public Restored restored() {
        return restored;
    }

    /**
     * Says what a file that is written anew shall hold.
     *
     * @param keeps gives it, on the thread that calls {@link #keep}
     */
    public void attach(Supplier<Kept> keeps) {
        kept = keeps;
    }

    @Override
    public void keep(List<Event> events) throws IOException {
        Event first = events.getFirst();
        List<String> names = events.stream().map(Event::channel).toList();
        ByteBuffer bytes =
                FileRecord.write(
                        new FileRecord.Kept(first.id(), wallOf(first), names, first.data()));
        if (size + bytes.remaining() > Math.max(use.size.getAsLong(), leastSize)) {
            writeAnew();
        }
        long before = size;
        append(bytes);
        if (use.forced.getAsBoolean()) {
            force(before);
        }
    }

    private void force(long before) throws IOException {
        try {
            disk.force(file);
            if (newName) {
                disk.forceNames(path.toAbsolutePath().resolveSibling(""));
                newName = false;
            }
        } catch (IOException e) {
            // Whoever published it is told that it was not kept, so nobody may see it later.
            size = before;
            cutBack();
            throw e;
        }
    }

    private long wallOf(Event event) {
        long age = time.nanos.getAsLong() - event.bornNanos();
        return time.wall.instant().toEpochMilli() - age / 1_000_000L;
    }

    private void append(ByteBuffer bytes) throws IOException {
        long end = size;
        try {
            while (bytes.hasRemaining()) {
                // At its place, and not behind what a write that failed has left.
                end += file.write(bytes, end);
            }
            size = end;
        } catch (IOException e) {
            cutBack();
            throw e;
        }
    }

    private void cutBack() {
        try {
            file.truncate(size);
        } catch (IOException e) {
            // The next record is written over it.
            LOG.log(Level.WARNING, "event-file-not-cut file=" + path, e);
        }
    }

    /** Writes what is still kept to a new file, which takes the place of the old one. */
    private void writeAnew() throws IOException {
        Path next = path.resolveSibling(path.getFileName() + ".new");
        FileChannel old = file;
        long oldSize = size;
        Files.deleteIfExists(next);
        FileChannel made = PrivateFile.create(next);
        try {
            file = made;
            size = 0;
            fillNew(kept.get());
            made.force(true);
            Files.move(
                    next,
                    path,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            file = old;
            size = oldSize;
            made.close();
            throw e;
        }
        newName = true;
        old.close();
        // Where most of it is still kept, it would be written anew for each event.
        leastSize = 2 * size;
    }

    private void fillNew(Kept all) throws IOException {
        append(ByteBuffer.wrap(MAGIC));
        Epochs epochs = restored.epochs();
        long behind = 0;
        String boot = bootId();
        for (Map.Entry<Long, Long> run : epochs.before().entrySet()) {
            append(FileRecord.write(new FileRecord.Run(run.getKey(), behind, boot)));
            behind = run.getValue();
        }
        append(FileRecord.write(run(restored, boot)));
        appendForgotten(all);
        for (Event event : all.events()) {
            List<String> name = List.of(event.channel());
            append(
                    FileRecord.write(
                            new FileRecord.Kept(event.id(), wallOf(event), name, event.data())));
        }
    }

    private void appendForgotten(Kept all) throws IOException {
        append(FileRecord.write(new FileRecord.Forgot("", all.forgotten())));
        for (Map.Entry<String, Long> one : all.perChannel().entrySet()) {
            append(FileRecord.write(new FileRecord.Forgot(one.getKey(), one.getValue())));
        }
    }

    /**
     * Brings everything to the disk and lets the file go.
     *
     * @throws IOException when that fails
     */
    @Override
    public void close() throws IOException {
        if (!file.isOpen()) {
            return;
        }
        try (lockFile;
                FileChannel closing = file) {
            closing.force(true);
        }
    }
}
