package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.time.Instant;

/**
 * Looks at a value where it stands, without a copy.
 *
 * @param <T> what it makes of it
 */
@FunctionalInterface
public interface EntryVisitor<T extends @Nullable Object> {
    /**
     * Looks at a value. Writers of its segment, and some readers, wait meanwhile: do not block, and
     * do not call the map.
     *
     * @param value the bytes, read-only; not valid any more when this has returned
     * @param written when it was put, to the second
     * @return what the caller of the map gets
     */
    T visit(MemorySegment value, Instant written);
}
