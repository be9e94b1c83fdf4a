package org.lrwp.events.channel;

import org.lrwp.events.event.Event;
import org.lrwp.events.event.Seen;

import java.util.List;

/**
 * What a client at some position has yet to get.
 *
 * @param events in their order, none twice
 * @param position where the client is when it has them
 * @param gap whether events before these are gone
 * @param from the position right before these
 * @param more whether there may be more behind them
 */
public record Backlog(List<Event> events, long position, boolean gap, long from, boolean more) {
    /** Copies the list. */
    public Backlog {
        events = List.copyOf(events);
    }

    /** The same without what the client has already. */
    Backlog without(Seen seen) {
        List<Event> left = events.stream().filter(event -> !event.isIn(seen)).toList();
        return new Backlog(left, position, gap, from, more);
    }

    /**
     * Says whether there is nothing to tell.
     *
     * @return whether there is neither an event nor a gap
     */
    public boolean isEmpty() {
        return events.isEmpty() && !gap;
    }
}
