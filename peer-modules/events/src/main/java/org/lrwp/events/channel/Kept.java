package org.lrwp.events.channel;

import org.lrwp.events.event.Event;

import java.util.List;
import java.util.Map;

/**
 * Everything that channels keep.
 *
 * @param events all events of all channels, in their order
 * @param forgotten how far channels that are gone had forgotten
 * @param perChannel how far the others have, by name
 */
public record Kept(List<Event> events, long forgotten, Map<String, Long> perChannel) {
    /** Copies. */
    public Kept {
        events = List.copyOf(events);
        perChannel = Map.copyOf(perChannel);
    }
}
