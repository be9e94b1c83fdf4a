package org.lrwp.engine.cache;

/** What stands in front of a context and may answer its requests itself. */
@FunctionalInterface
public interface Front {
    /**
     * Takes a request: answers it, passes it on, or does one of the two later. Never blocks.
     *
     * @param request a request of its context, whose head is checked
     */
    void take(FrontRequest request);
}
