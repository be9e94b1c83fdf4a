package org.lrwp.events.channel;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.event.Event;

import java.util.Arrays;

/** The last events of a channel in their order. Grows as it is filled. Not thread-safe. */
final class Ring {
    private static final int FIRST_SIZE = 16;

    private @Nullable Event[] events = new Event[FIRST_SIZE];
    private int oldest;
    private int count;

    int count() {
        return count;
    }

    void add(Event event) {
        if (count == events.length) {
            grow();
        }
        events[(oldest + count) % events.length] = event;
        count++;
    }

    private void grow() {
        @Nullable Event[] larger = Arrays.copyOfRange(events, oldest, oldest + 2 * count);
        int wrapped = oldest;
        System.arraycopy(events, 0, larger, count - wrapped, wrapped);
        // What copyOfRange found beyond the end is null; the wrapped ones are behind the others.
        events = larger;
        oldest = 0;
    }

    /** The event at a place, from 0, the oldest. */
    Event at(int place) {
        Event event = place < count ? events[(oldest + place) % events.length] : null;
        if (event == null) {
            throw new IndexOutOfBoundsException("no event at " + place + " of " + count);
        }
        return event;
    }

    Event removeOldest() {
        Event event = at(0);
        events[oldest] = null;
        oldest = (oldest + 1) % events.length;
        count--;
        return event;
    }

    /** The place of the first event behind a position; the count when there is none. */
    int placeBehind(long position) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).sequence() > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
