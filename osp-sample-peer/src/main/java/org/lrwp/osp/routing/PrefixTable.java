package org.lrwp.osp.routing;

import java.util.Arrays;

/**
 * Finds the longest of many prefixes that a number begins with. Immutable, any thread may search.
 *
 * <p>Design. A prefix is a long: 4 bits for each of up to 16 characters, the first on top, 0 for
 * the end, so that unsigned order is the order of a telephone book and a prefix stands right before
 * everything that begins with it. The table is the sorted array of these; a binary search finds the
 * last prefix that is not behind the number. When that one does not fit, the answer is the nearest
 * of its own prefixes that does: each entry knows the longest of those, its parent. The first four
 * characters are looked up in an index, so that the search begins among few. An entry costs 16
 * bytes and each row that belongs to it 4; the index costs 256 KiB.
 */
public final class PrefixTable {
    /** Characters of a prefix that count. */
    public static final int MOST_CHARACTERS = 16;

    private static final int BITS = 4;
    private static final int INDEX_SHIFT = 48;
    private static final int INDEX_SIZE = 1 << 16;
    private static final int NONE = -1;

    private final long[] keys;
    private final int[] parents;
    private final int[] firstRow;
    private final int[] rows;
    private final int[] index;

    private PrefixTable(long[] keys, int[] firstRow, int[] rows) {
        this.keys = keys;
        this.firstRow = firstRow;
        this.rows = rows;
        this.parents = parents(keys);
        this.index = index(keys);
    }

    /** Gathers prefixes. For one thread. */
    public static final class Builder {
        private long[] keys = new long[1_024];
        private int count;

        /** Creates an empty builder. */
        public Builder() {}

        /**
         * Adds a row; rows are numbered from 0 in the order in which they are added.
         *
         * @param prefix up to 16 of the characters 0 to 9, {@code *} and {@code #}; empty for every
         *     number
         * @throws IllegalArgumentException for another text
         */
        public void add(String prefix) {
            if (prefix.length() > MOST_CHARACTERS || length(prefix) != prefix.length()) {
                throw new IllegalArgumentException(
                        "'" + prefix + "' is no prefix of up to 16 digits, * or #");
            }
            if (count == keys.length) {
                keys = Arrays.copyOf(keys, 2 * count);
            }
            keys[count++] = key(prefix, prefix.length());
        }

        /**
         * Builds the table.
         *
         * @return the table
         */
        public PrefixTable build() {
            long[] sorted = Arrays.copyOf(keys, count);
            // Signed sorting in unsigned order: the top bit is turned over and back.
            flip(sorted);
            Arrays.sort(sorted);
            flip(sorted);
            int distinct = 0;
            for (int i = 0; i < count; i++) {
                if (i == 0 || sorted[i] != sorted[i - 1]) {
                    sorted[distinct++] = sorted[i];
                }
            }
            long[] entries = Arrays.copyOf(sorted, distinct);
            int[] entryOfRow = new int[count];
            int[] first = new int[distinct + 1];
            for (int row = 0; row < count; row++) {
                int entry = floor(entries, 0, distinct, keys[row]);
                entryOfRow[row] = entry;
                first[entry + 1]++;
            }
            for (int entry = 0; entry < distinct; entry++) {
                first[entry + 1] += first[entry];
            }
            int[] next = Arrays.copyOf(first, distinct);
            int[] ordered = new int[count];
            for (int row = 0; row < count; row++) {
                ordered[next[entryOfRow[row]]++] = row;
            }
            return new PrefixTable(entries, first, ordered);
        }

        private static void flip(long[] values) {
            for (int i = 0; i < values.length; i++) {
                values[i] ^= Long.MIN_VALUE;
            }
        }
    }

    /**
     * Finds the longest prefix of a number.
     *
     * @param number the number; what follows its first character that is no digit, {@code *} or
     *     {@code #} does not count
     * @return the entry, or -1 when no prefix fits
     */
    public int find(String number) {
        int length = length(number);
        long key = key(number, length);
        int top = (int) (key >>> INDEX_SHIFT);
        int entry = floor(keys, index[top], index[top + 1], key);
        while (entry != NONE && !begins(key, keys[entry])) {
            entry = parents[entry];
        }
        return entry;
    }

    /**
     * Returns how many rows an entry has.
     *
     * @param entry an entry
     * @return 1 or more
     */
    public int rows(int entry) {
        return firstRow[entry + 1] - firstRow[entry];
    }

    /**
     * Returns a row of an entry.
     *
     * @param entry an entry
     * @param index 0 or more
     * @return the number of the row
     */
    public int row(int entry, int index) {
        return rows[firstRow[entry] + index];
    }

    /**
     * Returns an entry's prefix.
     *
     * @param entry an entry
     * @return the text
     */
    public String prefix(int entry) {
        StringBuilder text = new StringBuilder();
        for (long rest = keys[entry]; rest != 0; rest <<= BITS) {
            int digit = (int) (rest >>> (Long.SIZE - BITS));
            text.append(digit <= 10 ? (char) ('0' + digit - 1) : digit == 11 ? '*' : '#');
        }
        return text.toString();
    }

    /**
     * Returns how many different prefixes there are.
     *
     * @return 0 or more
     */
    public int size() {
        return keys.length;
    }

    /** The characters at the beginning that can stand in a prefix, at most 16. */
    private static int length(String number) {
        int most = Math.min(number.length(), MOST_CHARACTERS);
        for (int i = 0; i < most; i++) {
            if (digit(number.charAt(i)) == 0) {
                return i;
            }
        }
        return most;
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0' + 1;
        }
        return c == '*' ? 11 : c == '#' ? 12 : 0;
    }

    private static long key(String text, int length) {
        long key = 0;
        for (int i = 0; i < length; i++) {
            key |= (long) digit(text.charAt(i)) << (Long.SIZE - BITS * (i + 1));
        }
        return key;
    }

    private static boolean begins(long number, long prefix) {
        if (prefix == 0) {
            return true;
        }
        int shift = Long.numberOfTrailingZeros(prefix) & -BITS;
        return (number >>> shift) == (prefix >>> shift);
    }

    /** The last entry in a range that is not behind a key, or the one before the range. */
    private static int floor(long[] keys, int from, int to, long key) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(keys[middle], key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private static int[] parents(long[] keys) {
        int[] parents = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            int parent = i - 1;
            while (parent != NONE && !begins(keys[i], keys[parent])) {
                parent = parents[parent];
            }
            parents[i] = parent;
        }
        return parents;
    }

    private static int[] index(long[] keys) {
        int[] index = new int[INDEX_SIZE + 1];
        int entry = 0;
        for (int top = 0; top < INDEX_SIZE; top++) {
            index[top] = entry;
            while (entry < keys.length && keys[entry] >>> INDEX_SHIFT == top) {
                entry++;
            }
        }
        index[INDEX_SIZE] = entry;
        return index;
    }
}
