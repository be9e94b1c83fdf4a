package org.lrwp.webapp.traces;

import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.RequestHead;

/** Decides who follows a request. Any thread; never blocks. */
@FunctionalInterface
public interface RequestFollower {
    /** Nobody follows any request. */
    RequestFollower NOBODY = head -> RequestTrace.NONE;

    /**
     * Begins to follow a request.
     *
     * @param head the request
     * @return who follows it from now on; {@link RequestTrace#NONE} for nobody
     */
    RequestTrace follow(RequestHead head);
}
