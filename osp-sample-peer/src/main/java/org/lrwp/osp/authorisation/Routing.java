package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.RefusedException;

import java.util.List;

/** Decides whereto a call may go. Any thread may call it. */
@FunctionalInterface
public interface Routing {
    /**
     * Finds the destinations of a call.
     *
     * @param called whom the caller wants
     * @return signalling addresses like {@code [192.0.2.1]:5060}, best first, at least one
     * @throws RefusedException when the call is blocked or nobody serves the called number
     */
    List<String> destinations(Party called) throws RefusedException;
}
