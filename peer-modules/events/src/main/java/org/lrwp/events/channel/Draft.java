package org.lrwp.events.channel;

import org.lrwp.events.event.EventData;

import java.util.List;

/**
 * An event that is to be published.
 *
 * @param channels to which channels, each once
 * @param data what it says
 * @param key the idempotency key of whoever publishes; empty for none
 */
public record Draft(List<String> channels, EventData data, String key) {
    /** Copies the list. */
    public Draft {
        channels = List.copyOf(channels);
    }
}
