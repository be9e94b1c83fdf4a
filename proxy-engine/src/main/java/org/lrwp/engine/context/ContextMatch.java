package org.lrwp.engine.context;

import java.util.Objects;

/**
 * The context that a request belongs to, and how its path is cut.
 *
 * @param assistant who finds peers for it
 * @param scriptName the part of the path that named the context: for a path context the context,
 *     for an extension the whole path, empty for the root context
 * @param pathInfo the rest of the path; empty or starts with {@code /}
 */
public record ContextMatch(ContextAssistant assistant, String scriptName, String pathInfo) {
    /** Checks that nothing is missing. */
    public ContextMatch {
        Objects.requireNonNull(assistant, "assistant");
        Objects.requireNonNull(scriptName, "scriptName");
        Objects.requireNonNull(pathInfo, "pathInfo");
    }
}
