package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

/** Says, before a request counts as started, whether this peer takes it. */
@FunctionalInterface
public interface Admission {
    /**
     * Judges one request. A refused request goes to another peer of the context, whatever its
     * method, so this must not have done any of the work. Called on a thread of its own, several at
     * once; an exception takes the request, for the handler to answer.
     *
     * @param head the request without its body
     * @return null to take it, else the reason for the proxy's log
     */
    @Nullable String refusal(RequestHead head);
}
