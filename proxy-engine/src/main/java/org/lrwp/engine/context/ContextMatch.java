package org.lrwp.engine.context;

import java.util.Objects;

/**
 * The context that a request belongs to, and how its path is cut.
 *
 * @param assistant who finds peers for it
 * @param path the request's, below the root of the web application
 * @param cut where the part ends that named the context: for a path context the context, for an
 *     extension the whole path, 0 for the root context. The rest is empty or starts with {@code /}
 */
public record ContextMatch(ContextAssistant assistant, String path, int cut) {
    /** Checks that nothing is missing. */
    public ContextMatch {
        Objects.requireNonNull(assistant, "assistant");
        Objects.checkIndex(cut, path.length() + 1);
    }
}
