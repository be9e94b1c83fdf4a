package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.HeaderField;

import java.util.List;

/**
 * Heads of a module's answers. One that a module gives again, as the same list that cannot change,
 * is made once. Thread-safe.
 */
final class LocalHeads {
    private record Made(int status, List<HeaderField> headers, CgiHead head) {}

    /** As many as are kept, a power of two. */
    private static final int KEPT = 64;

    private final @Nullable Made[] made = new Made[KEPT];

    /**
     * Returns the head.
     *
     * @throws IllegalArgumentException as {@link LocalHead#of}
     */
    @SuppressWarnings(
            "ReferenceEquality") // An equal list would have to be compared field by field.
    CgiHead of(int status, List<HeaderField> headers) {
        int place = System.identityHashCode(headers) & (KEPT - 1);
        // A race costs one more making of a head; each is immutable.
        Made known = made[place];
        if (known != null && known.headers == headers && known.status == status) {
            return known.head;
        }
        CgiHead head = LocalHead.of(status, headers);
        if (List.copyOf(headers) == headers) {
            made[place] = new Made(status, headers, head);
        }
        return head;
    }
}
