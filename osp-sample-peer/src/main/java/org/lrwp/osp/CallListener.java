package org.lrwp.osp;

import org.lrwp.osp.authorisation.Grant;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.usage.UsageRecord;

/** Hears of calls as they are authorised and used. Any thread calls it. */
public interface CallListener {
    /** Does nothing. */
    CallListener NONE =
            new CallListener() {
                @Override
                public void granted(Grant grant) {}

                @Override
                public void used(UsageRecord usage) {}
            };

    /**
     * A call was authorised.
     *
     * @param grant what was authorised
     * @throws RefusedException when it is not to be after all
     */
    void granted(Grant grant) throws RefusedException;

    /**
     * Usage of a call was reported.
     *
     * @param usage the record
     */
    void used(UsageRecord usage);
}
