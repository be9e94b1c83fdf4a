package org.lrwp.osp;

import org.lrwp.osp.authorisation.Grant;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.routing.TableRouting;
import org.lrwp.osp.usage.UsageRecord;

/** Tells routing which calls are under way and how they went, and keeps a record of them. */
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
        routing.began(grant.transaction(), grant.device(), grant.routes().getFirst());
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
