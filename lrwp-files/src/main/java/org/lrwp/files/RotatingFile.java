package org.lrwp.files;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.Consumer;

/**
 * A log file that is only ever appended to. When lines would make it longer than its size, or are
 * the first of another day, it becomes {@code FILE.1}, {@code FILE.1} becomes {@code FILE.2} and so
 * on; the one above the number kept is deleted. It is a {@link PrivateFile}, mode 0600.
 *
 * <p>When renaming fails, lines go on into the same file and renaming is tried again as many bytes
 * later, or on the next day. Half a line that a full disk took is ended before the next line. For
 * one thread at a time; blocks on the disk.
 */
public final class RotatingFile implements AutoCloseable {
    private final Path file;
    private final Rotation rotation;
    private final Consumer<IOException> notRotated;
    private final @Nullable Consumer<String> exposed;
    private final InstantSource clock;
    private @Nullable OutputStream out;
    private long length;
    private long limit;
    private LocalDate day = LocalDate.EPOCH;
    private boolean torn;

    /**
     * Opens the file, and makes it when it is not there.
     *
     * @param file where it is
     * @param rotation when it rotates
     * @param notRotated is told, by the thread that writes, why renaming failed
     * @param exposed is told, by the thread that opens it, how others can write or replace the
     *     file; null = such a file is refused
     * @param clock says which day it is
     * @throws UnsafeFileException when the file is not this user's
     * @throws IOException when it cannot be opened
     */
    public RotatingFile(
            Path file,
            Rotation rotation,
            Consumer<IOException> notRotated,
            @Nullable Consumer<String> exposed,
            InstantSource clock)
            throws IOException {
        this.file = file.toAbsolutePath();
        this.rotation = rotation;
        this.notRotated = notRotated;
        this.exposed = exposed;
        this.clock = clock;
        open();
    }

    /**
     * Appends lines, all of them to the same file.
     *
     * @param lines their bytes, with the line end of the last one too
     * @throws IOException when the disk does not take it, or the file cannot be opened
     */
    public void write(byte[] lines) throws IOException {
        if (out != null && length > 0 && (length + lines.length > limit || isAnotherDay())) {
            rotate();
        }
        OutputStream open = out == null ? open() : out;
        if (torn) {
            open.write('\n');
            length++;
        }
        torn = true;
        open.write(lines);
        torn = false;
        length += lines.length;
    }

    /**
     * Closes the file and opens what has its name now, or makes it: after another program has
     * renamed it.
     *
     * @throws IOException when it cannot be opened; the next line tries again
     */
    public void reopen() throws IOException {
        close();
        open();
    }

    private OutputStream open() throws IOException {
        OutputStream opened =
                exposed == null ? PrivateFile.append(file) : PrivateFile.appendLog(file, exposed);
        out = opened;
        length = Files.size(file);
        torn = torn && length > 0;
        limit = rotation.limit();
        day = day(length > 0 ? Files.getLastModifiedTime(file).toInstant() : clock.instant());
        return opened;
    }

    private boolean isAnotherDay() {
        return rotation.daily() && !day(clock.instant()).equals(day);
    }

    private static LocalDate day(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    private void rotate() throws IOException {
        try {
            for (int i = rotation.kept() - 1; i >= 1; i--) {
                if (Files.exists(numbered(i))) {
                    move(numbered(i), numbered(i + 1));
                }
            }
            move(file, numbered(1));
        } catch (IOException e) {
            limit = rotation.size() == 0 ? limit : length + rotation.limit();
            day = day(clock.instant());
            notRotated.accept(e);
            return;
        }
        reopen();
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    /** Closes the file; a line that is written afterwards opens it again. */
    @Override
    public void close() throws IOException {
        OutputStream open = out;
        out = null;
        if (open != null) {
            open.close();
        }
    }
}
