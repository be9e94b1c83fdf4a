package org.lrwp.events.channel;

import org.lrwp.events.event.EventId;

import java.util.List;

/** What has become of a {@link Draft}. */
public sealed interface Publication {
    /**
     * It is published.
     *
     * @param id its name
     * @param channels the channels that have a new event now
     */
    record Done(EventId id, List<Channel> channels) implements Publication {
        /** Copies the list. */
        public Done {
            channels = List.copyOf(channels);
        }
    }

    /**
     * The same was published before, with this key.
     *
     * @param id its name
     */
    record Before(EventId id) implements Publication {}

    /** Another event was published with this key. */
    record KeyTaken() implements Publication {}

    /** One of the channels does not exist, and may not. */
    record NoChannel() implements Publication {}

    /** There are as many channels as there may be. */
    record TooManyChannels() implements Publication {}

    /** It could not be kept; nothing is published. */
    record NotKept() implements Publication {}
}
