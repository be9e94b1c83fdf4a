package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.ChangeDetector;
import org.lrwp.files.FileStamp;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Reads a configuration's file again when it has changed. It looks at the file itself rather than
 * waiting for a message: that also sees a file that was replaced, and one on another host. A file
 * that is being written is left alone until it stays as it is from one look to the next.
 */
public final class FileWatch implements AutoCloseable {
    /** Two looks are well within the second that a change may take. */
    private static final long LOOK_MILLIS = 250;

    /** Five seconds: to try a refused file prepares all that it says. */
    static final int LOOKS_BETWEEN = 20;

    private static final System.Logger LOG = System.getLogger(FileWatch.class.getName());

    private final Configuration configuration;
    private final Path file;
    private final ScheduledExecutorService looks;
    private final ChangeDetector<FileStamp> changes;

    private FileWatch(Configuration configuration, Path file, ScheduledExecutorService looks) {
        this.configuration = configuration;
        this.file = file;
        this.looks = looks;
        this.changes = new ChangeDetector<>(() -> FileStamp.of(file), LOOKS_BETWEEN);
    }

    /**
     * Watches the file of a configuration that has just been read.
     *
     * @param configuration the configuration
     * @return the watch, to be closed; null when there is no file
     */
    public static @Nullable FileWatch start(Configuration configuration) {
        Path file = configuration.file();
        if (file == null) {
            return null;
        }
        ScheduledExecutorService looks =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("lrwp-file-watch").factory());
        FileWatch watch = new FileWatch(configuration, file, looks);
        // Its exceptions are handled in the look; closing ends it.
        var _ =
                looks.scheduleWithFixedDelay(
                        watch::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    /** A watch that looks when it is told to. */
    static FileWatch byHand(Configuration configuration, Path file) {
        return new FileWatch(configuration, file, Executors.newScheduledThreadPool(0));
    }

    /**
     * Looks at the file, and reads it when it is another one than that read and has settled; again
     * now and then while it is refused.
     */
    void look() {
        if (!changes.hasChanged()) {
            return;
        }
        try {
            configuration.readFile();
            LOG.log(Level.INFO, "configuration-read file={0}", file);
        } catch (BadConfigurationException e) {
            if (changes.failed(String.valueOf(e.getMessage()))) {
                LOG.log(
                        Level.WARNING,
                        "configuration-refused file={0} reason=\"{1}\"",
                        file,
                        e.getMessage());
            }
        } catch (RuntimeException e) {
            // One more look must follow, whatever this one met.
            if (changes.failed(e.toString())) {
                LOG.log(Level.ERROR, "configuration-failed file=" + file, e);
            }
        }
    }

    /** Ends the watch; the values stay. */
    @Override
    public void close() {
        looks.shutdownNow();
    }
}
