package org.lrwp.webapp.traffic;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;

import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.config.Coding;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Makes what compresses bodies, so many at once at most. Brotli and Zstandard are libraries of
 * other languages: where one cannot be loaded the log says so once, and clients get what they like
 * next. Thread-safe; never blocks, but the first time that a library is wanted.
 */
public final class Compressors {
    private static final System.Logger LOG = System.getLogger(Compressors.class.getName());

    /** About as fast as zlib at 5, and smaller. */
    private static final int BROTLI_QUALITY = 4;

    private static final int ZSTD_LEVEL = 3;

    /** Bits of how far back a body is looked at: 256 KiB, so that a stream stays small. */
    private static final int WINDOW = 18;

    private static final int PIECE = 16 * 1024;

    /** A library is there or not for as long as this class is. */
    private static final Map<Coding, Boolean> LOADED = new ConcurrentHashMap<>();

    private final AtomicInteger open = new AtomicInteger();
    private final Map<Coding, LongAdder> made = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /** Creates it with nothing under way. */
    public Compressors() {}

    /**
     * Says whether a coding can be used; loads its library the first time.
     *
     * @param coding which one
     * @return always the same
     */
    public static boolean has(Coding coding) {
        return coding == Coding.GZIP || LOADED.computeIfAbsent(coding, Compressors::load);
    }

    private static boolean load(Coding coding) {
        try {
            switch (coding) {
                case GZIP -> {}
                case BR -> Brotli4jLoader.ensureAvailability();
                case ZSTD -> Native.load();
            }
            return true;
        } catch (LinkageError | RuntimeException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            LOG.log(
                    Level.WARNING,
                    "compression-unavailable coding={0} reason=\"{1}\"",
                    coding.token(),
                    reason);
            return false;
        }
    }

    /**
     * Begins a body.
     *
     * @param coding one that can be used
     * @param most how many may be under way
     * @return to be given back by {@link #end}; null when there are too many
     */
    @Nullable BodyEncoder begin(Coding coding, int most) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused.increment();
            return null;
        }
        try {
            BodyEncoder encoder = make(coding);
            made.computeIfAbsent(coding, one -> new LongAdder()).increment();
            return encoder;
        } catch (IOException e) {
            open.decrementAndGet();
            throw new UncheckedIOException(e);
        }
    }

    private static BodyEncoder make(Coding coding) throws IOException {
        return switch (coding) {
            case GZIP -> new GzipStream();
            case BR -> new LibraryStream(Brotli::over);
            case ZSTD -> new LibraryStream(Zstandard::over);
        };
    }

    /** A body is whole, or nobody wants it any more. */
    void end(BodyEncoder encoder) {
        open.decrementAndGet();
        encoder.close();
    }

    /**
     * Counts the answers that were compressed so far.
     *
     * @param coding how
     * @return answers
     */
    public long made(Coding coding) {
        LongAdder count = made.get(coding);
        return count == null ? 0 : count.sum();
    }

    /**
     * Counts the answers that were sent as they are, because too many were compressed.
     *
     * @return answers
     */
    public long refused() {
        return refused.sum();
    }

    /** A class of its own: the JVM looks for its library when the first stream is made. */
    private static final class Brotli {
        static OutputStream over(OutputStream below) throws IOException {
            var parameters = new Encoder.Parameters().setQuality(BROTLI_QUALITY).setWindow(WINDOW);
            return new BrotliOutputStream(below, parameters, PIECE);
        }
    }

    /** As {@link Brotli}. */
    private static final class Zstandard {
        static OutputStream over(OutputStream below) throws IOException {
            var stream = new ZstdOutputStreamNoFinalizer(below, RecyclingBufferPool.INSTANCE);
            stream.setLevel(ZSTD_LEVEL);
            stream.setWindowLog(WINDOW);
            stream.setCloseFrameOnFlush(false);
            return stream;
        }
    }
}
