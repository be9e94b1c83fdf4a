package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** What all spools of a store share: memory, disk, and the threads for it. Thread-safe. */
final class SpoolSpace {
    private final SpoolConfig config;
    private final Executor disk;
    private final AtomicLong memory = new AtomicLong();
    private final AtomicLong onDisk = new AtomicLong();

    SpoolSpace(SpoolConfig config, Executor disk) {
        this.config = Objects.requireNonNull(config, "config");
        this.disk = disk;
    }

    SpoolConfig config() {
        return config;
    }

    /**
     * Has a disk thread work; the calling one when they have ended.
     *
     * @param file what is to be done; null for nothing
     */
    void work(@Nullable Runnable file) {
        if (file == null) {
            return;
        }
        try {
            disk.execute(file);
        } catch (RejectedExecutionException closed) {
            file.run();
        }
    }

    /** What bodies hold in memory now, in bytes. */
    long memoryBytes() {
        return memory.get();
    }

    /** What bodies hold in temporary files now, in bytes. */
    long diskBytes() {
        return onDisk.get();
    }

    boolean takeMemory(long bytes) {
        if (memory.addAndGet(bytes) <= config.memoryTotal()) {
            return true;
        }
        memory.addAndGet(-bytes);
        return false;
    }

    /** Takes memory, also above the limit. */
    void takeMemoryAnyway(long bytes) {
        memory.addAndGet(bytes);
    }

    void giveMemory(long bytes) {
        if (bytes != 0) {
            memory.addAndGet(-bytes);
        }
    }

    boolean hasMemory(long bytes) {
        return memory.get() + bytes <= config.memoryTotal();
    }

    void takeDisk(long bytes, boolean aboveLimit) throws NoSpaceException {
        if (onDisk.addAndGet(bytes) > config.diskTotal() && !aboveLimit) {
            onDisk.addAndGet(-bytes);
            throw new NoSpaceException("spooled bytes above their limit of " + config.diskTotal());
        }
    }

    void giveDisk(long bytes) {
        onDisk.addAndGet(-bytes);
    }

    boolean hasDisk(long bytes) {
        return onDisk.get() + bytes <= config.diskTotal();
    }
}
