package org.lrwp.files;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Sees that files, or whatever else is read again when it changes, are others than when they were
 * read. What is being written is left alone until two looks in a row find the same. What was read
 * and could not be used is read again later: what makes it usable, such as its mode, may not be
 * seen from outside. For one thread.
 *
 * @param <S> how it looks from outside; equal while nobody changes it
 */
public final class ChangeDetector<S> {
    private final Supplier<S> state;
    private final int looksBetween;
    private S read;
    private S seen;
    private boolean failed;

    /** Looks until what has failed is read again. */
    private int looksLeft;

    private @Nullable String told;

    /**
     * Looks for the first time; what is there counts as read. What cannot be used is read again at
     * each look.
     *
     * @param state looks at it; may block for the disk
     */
    public ChangeDetector(Supplier<S> state) {
        this(state, 1);
    }

    /**
     * Looks for the first time; what is there counts as read.
     *
     * @param state looks at it; may block for the disk
     * @param looksBetween looks from one reading of what cannot be used to the next, at least 1
     */
    public ChangeDetector(Supplier<S> state, int looksBetween) {
        this.state = state;
        this.looksBetween = looksBetween;
        read = state.get();
        seen = read;
    }

    /** What is there now counts as read. Before it is read: a change meanwhile is seen then. */
    public void reset() {
        read = state.get();
        seen = read;
        failed = false;
        told = null;
    }

    /**
     * Looks again.
     *
     * @return true, once, for something new that was the same at the look before; and for what has
     *     {@link #failed} since it was read, when its time has come
     */
    public boolean hasChanged() {
        return look(true);
    }

    /**
     * Looks again, and does not wait until nobody writes any more.
     *
     * @return as {@link #hasChanged}, but for something new at once
     */
    public boolean hasChangedAtOnce() {
        return look(false);
    }

    private boolean look(boolean waits) {
        S now = state.get();
        boolean settled = !waits || now.equals(seen);
        seen = now;
        if (!settled) {
            return false;
        }
        boolean other = !now.equals(read);
        boolean due = other || (failed && --looksLeft <= 0);
        if (other) {
            told = null;
        }
        read = now;
        if (due) {
            failed = false;
        }
        return due;
    }

    /**
     * What the last look told of cannot be used: a later one tells of it again.
     *
     * @param reason why not
     * @return whether somebody should be told: false when it was the same before, and for the same
     *     reason
     */
    public boolean failed(String reason) {
        boolean news = !reason.equals(told);
        failed = true;
        looksLeft = looksBetween;
        told = reason;
        return news;
    }
}
