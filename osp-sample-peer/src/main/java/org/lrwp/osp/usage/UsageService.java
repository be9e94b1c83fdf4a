package org.lrwp.osp.usage;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.statistics.CallCounters;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * Confirms usage indications. Every one is confirmed, also of transactions this server never
 * opened: a client that is refused tries again and then drops what it had to say. Any thread may
 * call it.
 */
public final class UsageService {
    private final UsageKeeper keeper;
    private final Consumer<UsageRecord> listener;
    private final CallCounters counters;
    private final InstantSource clock;

    /**
     * Creates the service.
     *
     * @param keeper keeps the records
     * @param listener hears of each new record, once it is kept
     * @param counters counts what is confirmed, repeats too, by who reports it
     * @param clock tells the time of the confirmation
     */
    public UsageService(
            UsageKeeper keeper,
            Consumer<UsageRecord> listener,
            CallCounters counters,
            InstantSource clock) {
        this.keeper = keeper;
        this.listener = listener;
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * Makes the confirmation of one UsageIndication. It may go out only after what was kept has
     * been waited for.
     *
     * @param indication the component
     * @param sender who sent the message
     * @param kept takes what has to be waited for
     * @return the confirming component
     * @throws NotKeptException when there is no room for the record
     */
    public Element confirm(Element indication, Sender sender, Consumer<UsageKeeper.Kept> kept)
            throws NotKeptException {
        Instant now = clock.instant();
        UsageRecord usage = UsageRecord.of(indication, sender, now);
        UsageKeeper.Kept record = keeper.keep(usage);
        kept.accept(
                () -> {
                    // What is not kept comes again, and so does what was confirmed unheard.
                    boolean fresh = record.awaitNew();
                    count(usage);
                    if (fresh) {
                        listener.accept(usage);
                    }
                });
        return Reply.success(indication, now, List.of());
    }

    private void count(UsageRecord usage) {
        switch (usage.role()) {
            case "source" -> counters.sourceUsage();
            case "destination" -> counters.destinationUsage();
            default -> {
                // Others (redirecting devices and the like) are no end of the call.
            }
        }
    }
}
