package org.lrwp.cachemap;

/**
 * Remembers which keys went lately without having been read. A fingerprint of a key has one place,
 * where the next one displaces it: about as many are known as the segment has entries. For one
 * thread at a time; forgotten at a restart.
 */
final class Ghosts {
    private int[] prints = new int[16];

    void add(long hash, int entries) {
        if (prints.length < entries) {
            prints = new int[Integer.highestOneBit(entries) * 2];
        }
        prints[place(hash)] = print(hash);
    }

    /** Says whether a key went lately, and forgets it. */
    boolean remove(long hash) {
        int place = place(hash);
        if (prints[place] != print(hash)) {
            return false;
        }
        prints[place] = 0;
        return true;
    }

    private int place(long hash) {
        return (int) (hash >>> 20) & (prints.length - 1);
    }

    private static int print(long hash) {
        return (int) hash | 1;
    }
}
