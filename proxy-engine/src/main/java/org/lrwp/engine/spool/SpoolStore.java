package org.lrwp.engine.spool;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Makes spools and keeps their sum within the limits. Thread-safe. */
public final class SpoolStore {
    private final SpoolConfig config;
    private final AtomicLong memory = new AtomicLong();
    private final AtomicLong disk = new AtomicLong();

    /**
     * Creates a store.
     *
     * @param config its limits
     */
    public SpoolStore(SpoolConfig config) {
        this.config = Objects.requireNonNull(config, "config");
    }

    /**
     * Makes a spool for the body of a request, which can be read again from its start.
     *
     * @return a new spool; whoever asked for it closes it
     */
    public Spool forRequest() {
        return new Spool(this, config, true);
    }

    /**
     * Makes a spool for the body of an answer, which forgets what has been read.
     *
     * @return a new spool; whoever asked for it closes it
     */
    public Spool forAnswer() {
        return new Spool(this, config, false);
    }

    /**
     * Returns what bodies hold in memory now.
     *
     * @return octets
     */
    public long memoryOctets() {
        return memory.get();
    }

    /**
     * Returns what bodies hold in temporary files now.
     *
     * @return octets
     */
    public long diskOctets() {
        return disk.get();
    }

    boolean takeMemory(long octets) {
        if (memory.addAndGet(octets) <= config.memoryTotal()) {
            return true;
        }
        memory.addAndGet(-octets);
        return false;
    }

    void giveMemory(long octets) {
        memory.addAndGet(-octets);
    }

    boolean hasMemory(long octets) {
        return memory.get() + octets <= config.memoryTotal();
    }

    void takeDisk(long octets, boolean aboveLimit) throws NoSpaceException {
        if (disk.addAndGet(octets) > config.diskTotal() && !aboveLimit) {
            disk.addAndGet(-octets);
            throw new NoSpaceException("spooled octets above their limit of " + config.diskTotal());
        }
    }

    void giveDisk(long octets) {
        disk.addAndGet(-octets);
    }

    boolean hasDisk(long octets) {
        return disk.get() + octets <= config.diskTotal();
    }
}
