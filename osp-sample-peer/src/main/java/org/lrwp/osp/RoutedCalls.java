package org.lrwp.osp;

import org.lrwp.osp.authorisation.Grant;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.routing.TableRouting;
import org.lrwp.osp.usage.UsageRecord;

/** Tells routing how calls went, and keeps a record of those that were authorised. */
final class RoutedCalls implements CallListener {
    private final TableRouting routing;
    private final CdrStore records;

    RoutedCalls(TableRouting routing, CdrStore records) {
        this.routing = routing;
        this.records = records;
    }

    @Override
    public void granted(Grant grant) throws RefusedException {
        records.granted(grant);
    }

    @Override
    public void used(UsageRecord usage) {
        if (usage.role().equals("source")) {
            routing.ended(
                    usage.transaction(),
                    usage.destination(),
                    usage.wholeSeconds(),
                    usage.delayMillis());
        }
    }
}
