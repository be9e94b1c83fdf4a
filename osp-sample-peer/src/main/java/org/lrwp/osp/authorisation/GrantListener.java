package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.RefusedException;

/** Hears of calls that were authorised. Any thread calls it. */
@FunctionalInterface
public interface GrantListener {
    /**
     * A call was authorised and its answer is about to go out.
     *
     * @param grant what was authorised
     * @throws RefusedException when that cannot be kept, so the call is refused after all
     */
    void granted(Grant grant) throws RefusedException;
}
