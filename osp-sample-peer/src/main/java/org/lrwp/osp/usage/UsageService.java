package org.lrwp.osp.usage;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.statistics.CallCounters;

import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/**
 * Confirms usage indications. Every one is confirmed, also of transactions this server never
 * opened: a client that is refused tries again and then drops what it had to say. Any thread may
 * call it.
 */
public final class UsageService {
    private final CallCounters counters;
    private final InstantSource clock;

    /**
     * Creates the service.
     *
     * @param counters counts usages by who reports them
     * @param clock tells the time of the confirmation
     */
    public UsageService(CallCounters counters, InstantSource clock) {
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * Confirms one UsageIndication.
     *
     * @param indication the component
     * @return the confirming component
     */
    public Element confirm(Element indication) {
        switch (indication.childText("Role").orElse("").toLowerCase(Locale.ROOT)) {
            case "source" -> counters.sourceUsage();
            case "destination" -> counters.destinationUsage();
            default -> {
                // Others (redirecting devices and the like) are no end of the call.
            }
        }
        return Reply.success(indication, clock.instant(), List.of());
    }
}
