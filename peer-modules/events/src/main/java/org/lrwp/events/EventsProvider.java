package org.lrwp.events;

import org.lrwp.events.policy.EventsKeys;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;

import java.util.List;

/** The event module. */
public final class EventsProvider implements ModuleProvider {
    /** Creates the provider; found as a service. */
    public EventsProvider() {}

    @Override
    public String type() {
        return "events";
    }

    @Override
    public String description() {
        return "Channels of events: whoever waits gets each of them once and in order, by event"
                + " stream, JSON lines or long poll.";
    }

    @Override
    public String defaultContext() {
        return "/events";
    }

    @Override
    public List<Key<?>> keys() {
        return EventsKeys.all();
    }

    @Override
    public PeerModule open(ModuleSetup setup) throws BadConfigurationException {
        return EventsModule.open(setup);
    }
}
