package org.lrwp.cache;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Fetches images from the origin: each one once, however many ask for it at the same time, and so
 * many at once as may be. Any thread; a fetch has a virtual thread of its own.
 */
final class OriginLoads {
    private static final System.Logger LOG = System.getLogger(OriginLoads.class.getName());

    private final Origin origin;
    private final BiConsumer<Long, ByteBuffer> keeper;
    private final ConcurrentHashMap<Long, Load> loads = new ConcurrentHashMap<>();
    private final AtomicLong fetched = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /** A fetch under way. */
    private static final class Load {
        private final CompletableFuture<Loaded> end = new CompletableFuture<>();
    }

    /**
     * How a fetch ended.
     *
     * @param status 200, or the status to answer
     * @param image null unless 200
     */
    record Loaded(int status, @Nullable StoredImage image) {
        static final Loaded NONE = new Loaded(404, null);
        static final Loaded FULL = new Loaded(503, null);
    }

    /**
     * Creates the loads of an origin.
     *
     * @param origin where images come from
     * @param keeper puts the bytes of an image into the cache, unless there is one by now
     */
    OriginLoads(Origin origin, BiConsumer<Long, ByteBuffer> keeper) {
        this.origin = origin;
        this.keeper = keeper;
    }

    /**
     * Fetches an image, or joins who does.
     *
     * @param then told how it ended; an exception of it is nobody's
     */
    void load(long id, Duration timeout, int most, Consumer<Loaded> then) {
        Load mine = new Load();
        Load other = loads.putIfAbsent(id, mine);
        CompletableFuture<Void> _ = (other == null ? mine : other).end.thenAccept(then);
        if (other != null) {
            return;
        }
        if (loads.size() > most) {
            loads.remove(id, mine);
            mine.end.complete(Loaded.FULL);
        } else {
            Thread.ofVirtual().name("origin-" + id).start(() -> finish(id, mine, timeout));
        }
    }

    /** Keeps what is being fetched for an id out of the cache: it is about to change. */
    void forget(long id) {
        loads.remove(id);
    }

    long fetched() {
        return fetched.get();
    }

    long failed() {
        return failed.get();
    }

    private void finish(long id, Load mine, Duration timeout) {
        Loaded loaded = new Loaded(502, null);
        try {
            loaded = fetch(id, mine, timeout);
        } finally {
            loads.remove(id, mine);
            mine.end.complete(loaded);
        }
    }

    private Loaded fetch(long id, Load mine, Duration timeout) {
        try {
            Origin.Fetched image = origin.fetch(id, timeout);
            if (image == null) {
                return Loaded.NONE;
            }
            ByteBuffer bytes = image.encoded();
            if (bytes == null) {
                return refused(id, "content type and bytes do not agree");
            }
            // Not once it was written or deleted: then only who asked before that may have it.
            loads.computeIfPresent(
                    id,
                    (key, load) -> {
                        if (load == mine) {
                            keeper.accept(key, bytes);
                        }
                        return load;
                    });
            fetched.incrementAndGet();
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return new Loaded(200, StoredImage.decode(copy));
        } catch (HttpTimeoutException e) {
            refused(id, "timeout");
            return new Loaded(504, null);
        } catch (IOException e) {
            return refused(id, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused(id, "interrupted");
        }
    }

    private Loaded refused(long id, String reason) {
        failed.incrementAndGet();
        LOG.log(Level.WARNING, "origin-failed id={0} reason=\"{1}\"", Long.toString(id), reason);
        return new Loaded(502, null);
    }
}
