package org.lrwp.cachemap;

/**
 * What a cache map holds and has done. The counters stand in the file and go on after a restart; a
 * moment's sums, taken without stopping anybody.
 *
 * @param capacity bytes that entries may take, their heads included
 * @param used bytes that entries take, those that are dead and not yet overwritten included
 * @param live bytes of the entries that can be read
 * @param entries how many can be read; those whose time is over count until their place is needed
 * @param hits reads that found a value
 * @param misses reads that found none
 * @param puts values written
 * @param removed entries removed by their key
 * @param evicted entries that went because others needed the room
 * @param spared entries that moved up instead, because they had been read
 * @param expired reads that found a value whose time was over; they are misses too
 * @param damaged values that failed their checksum
 */
public record CacheStatistics(
        long capacity,
        long used,
        long live,
        long entries,
        long hits,
        long misses,
        long puts,
        long removed,
        long evicted,
        long spared,
        long expired,
        long damaged) {
    /**
     * Returns the share of reads that found a value.
     *
     * @return 0 to 1; 0 when nobody has read
     */
    public double hitRatio() {
        long reads = hits + misses;
        return reads == 0 ? 0 : (double) hits / reads;
    }

    CacheStatistics plus(CacheStatistics other) {
        return new CacheStatistics(
                capacity + other.capacity,
                used + other.used,
                live + other.live,
                entries + other.entries,
                hits + other.hits,
                misses + other.misses,
                puts + other.puts,
                removed + other.removed,
                evicted + other.evicted,
                spared + other.spared,
                expired + other.expired,
                damaged + other.damaged);
    }
}
