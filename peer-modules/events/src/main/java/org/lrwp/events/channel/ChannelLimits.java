package org.lrwp.events.channel;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How many channels there may be and what they keep.
 *
 * @param fixed the only channels there are; empty: a channel is made when it is first used
 * @param channels channels at once, where they are not fixed
 * @param events events that a channel keeps
 * @param bytes memory of the events that a channel keeps, in bytes
 * @param allBytes memory of all events, in bytes; the largest channels give way
 * @param age how long an event is kept; zero: as long as there is room
 * @param idle after what time without client and event a channel is forgotten
 * @param keys idempotency keys that are remembered, all together
 * @param keyTime how long they are
 */
public record ChannelLimits(
        Set<String> fixed,
        int channels,
        int events,
        long bytes,
        long allBytes,
        Duration age,
        Duration idle,
        int keys,
        Duration keyTime) {
    /** Copies the names and checks them. */
    public ChannelLimits {
        fixed = Set.copyOf(fixed);
        fixed.forEach(ChannelName::check);
    }

    /**
     * Says whether there may be a channel of a name.
     *
     * @param names some names
     * @return whether all of them may be
     */
    boolean allow(List<String> names) {
        return fixed.isEmpty() || fixed.containsAll(names);
    }
}
