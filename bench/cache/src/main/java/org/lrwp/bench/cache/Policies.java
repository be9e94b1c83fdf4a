package org.lrwp.bench.cache;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/** Other rules of eviction, played with keys alone: all values have the same size. */
final class Policies {
    private Policies() {}

    /** A cache of keys. */
    interface Policy {
        /** Asks for a key, and adds it when it is not there; returns whether it was. */
        boolean request(long key);
    }

    static Policy fifo(int capacity) {
        LinkedHashSet<Long> queue = new LinkedHashSet<>();
        return key -> {
            boolean hit = !queue.add(key);
            if (queue.size() > capacity) {
                queue.removeFirst();
            }
            return hit;
        };
    }

    static Policy lru(int capacity) {
        LinkedHashMap<Long, Boolean> order = new LinkedHashMap<>(16, 0.75f, true);
        return key -> {
            boolean hit = order.get(key) != null;
            if (!hit) {
                order.put(key, true);
                if (order.size() > capacity) {
                    order.pollFirstEntry();
                }
            }
            return hit;
        };
    }

    /** S3-FIFO, as its paper has it: a small queue of a tenth, a main queue, ghosts of the main. */
    static Policy s3Fifo(int capacity) {
        return new S3Fifo(capacity);
    }

    private static final class S3Fifo implements Policy {
        private static final int MOST = 3;
        private final int capacity;
        private final int smallCapacity;
        private final Map<Long, Integer> uses = new HashMap<>();
        private final ArrayDeque<Long> small = new ArrayDeque<>();
        private final ArrayDeque<Long> main = new ArrayDeque<>();
        private final LinkedHashSet<Long> ghosts = new LinkedHashSet<>();

        S3Fifo(int capacity) {
            this.capacity = capacity;
            this.smallCapacity = Math.max(1, capacity / 10);
        }

        @Override
        public boolean request(long key) {
            Integer used = uses.get(key);
            if (used != null) {
                uses.put(key, Math.min(MOST, used + 1));
                return true;
            }
            while (small.size() + main.size() >= capacity) {
                evict();
            }
            uses.put(key, 0);
            (ghosts.remove(key) ? main : small).addLast(key);
            return false;
        }

        private void evict() {
            if (small.size() >= smallCapacity || main.isEmpty()) {
                Long oldest = small.removeFirst();
                if (uses.getOrDefault(oldest, 0) > 1) {
                    uses.put(oldest, 0);
                    main.addLast(oldest);
                } else {
                    uses.remove(oldest);
                    addGhost(oldest);
                }
                return;
            }
            Long oldest = main.removeFirst();
            int used = uses.getOrDefault(oldest, 0);
            if (used > 0) {
                uses.put(oldest, used - 1);
                main.addLast(oldest);
            } else {
                uses.remove(oldest);
            }
        }

        private void addGhost(Long key) {
            ghosts.add(key);
            if (ghosts.size() > capacity - smallCapacity) {
                Iterator<Long> first = ghosts.iterator();
                first.next();
                first.remove();
            }
        }
    }
}
