package org.lrwp.events.channel;

import org.lrwp.events.event.Event;

import java.io.IOException;
import java.util.List;

/** Keeps events beyond the life of the module. Called by whoever publishes, one at a time. */
@FunctionalInterface
public interface Journal {
    /**
     * Keeps an event before anybody sees it. May block.
     *
     * @param events the same event in each of its channels
     * @throws IOException when it is not kept; nobody will see it then
     */
    void keep(List<Event> events) throws IOException;

    /**
     * Returns the journal that keeps nothing.
     *
     * @return the same always
     */
    static Journal none() {
        return events -> {};
    }
}
