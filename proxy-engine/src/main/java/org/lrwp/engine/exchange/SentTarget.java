package org.lrwp.engine.exchange;

/**
 * The target of a request, for logs and status. Its text is made when somebody asks: no request
 * needs it for its answer. Any thread.
 */
@FunctionalInterface
public interface SentTarget {
    /**
     * Returns the target as it was sent.
     *
     * @return path and query, or an absolute URI, or {@code *}
     */
    String raw();
}
