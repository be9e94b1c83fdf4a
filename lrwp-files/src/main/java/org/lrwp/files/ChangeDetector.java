package org.lrwp.files;

import java.util.function.Supplier;

/**
 * Sees that files, or whatever else is read again when it changes, are others than when they were
 * read. What is being written is left alone until two looks in a row find the same. For one thread.
 *
 * @param <S> how it looks from outside; equal while nobody changes it
 */
public final class ChangeDetector<S> {
    private final Supplier<S> state;
    private S read;
    private S seen;

    /**
     * Looks for the first time; what is there counts as read.
     *
     * @param state looks at it; may block for the disk
     */
    public ChangeDetector(Supplier<S> state) {
        this.state = state;
        read = state.get();
        seen = read;
    }

    /** What is there now counts as read. Before it is read: a change meanwhile is seen then. */
    public void reset() {
        read = state.get();
        seen = read;
    }

    /**
     * Looks again.
     *
     * @return true, once, for something new that was the same at the look before
     */
    public boolean hasChanged() {
        S now = state.get();
        boolean settled = now.equals(seen);
        seen = now;
        boolean changed = settled && !now.equals(read);
        if (changed) {
            read = now;
        }
        return changed;
    }
}
