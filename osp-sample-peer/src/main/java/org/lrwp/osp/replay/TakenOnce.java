package org.lrwp.osp.replay;

import java.time.Instant;

/** Remembers what has been taken, so that it is not taken again. Any thread may call it. */
@FunctionalInterface
public interface TakenOnce {
    /** What became of a thing that was shown. */
    enum Outcome {
        /** It was not taken before, and is now. */
        FIRST,
        /** It was taken before. */
        AGAIN,
        /** It cannot be remembered, so it may not be taken: too many are, or the disk fails. */
        NOT_KEPT
    }

    /** What kind of thing is taken; things of different kinds never meet. */
    enum Kind {
        /** A token that a gateway shows. */
        TOKEN,
        /** A component of a message that a device has signed. */
        COMPONENT
    }

    /**
     * Takes a thing; may block on the disk.
     *
     * @param kind what it is
     * @param content what tells it from all others
     * @param until from when on nobody takes it anyway: it may be forgotten then
     * @return what became of it
     */
    Outcome take(Kind kind, byte[] content, Instant until);
}
