package org.lrwp.osp.cdr;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Fingerprints of usages that are on the disk already. A client that did not hear a confirmation
 * sends the same again, mostly within seconds; all it needs is the confirmation. What is known here
 * has been forced to the disk, in the journal or in the database after it, and rows that are there
 * stay as they are, so writing it once more would change nothing.
 *
 * <p>Bounded: each fingerprint has one place, where a later one takes over. One that was forgotten
 * costs a write that changes nothing. Any thread may call it.
 */
final class KnownUsages {
    private final AtomicReferenceArray<String> places;

    /**
     * Knows nothing yet.
     *
     * @param most how many are known at most; 0 for none
     */
    KnownUsages(int most) {
        places = new AtomicReferenceArray<>(most);
    }

    boolean has(String fingerprint) {
        return places.length() > 0 && fingerprint.equals(places.get(place(fingerprint)));
    }

    /**
     * The usage is on the disk: to be called after its force, never before.
     *
     * @return whether it was not known before
     */
    boolean add(String fingerprint) {
        return places.length() == 0
                || !fingerprint.equals(places.getAndSet(place(fingerprint), fingerprint));
    }

    private int place(String fingerprint) {
        return Math.floorMod(fingerprint.hashCode(), places.length());
    }
}
