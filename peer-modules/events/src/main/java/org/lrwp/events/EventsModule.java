package org.lrwp.events;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.access.AccessServer;
import org.lrwp.events.channel.Channels;
import org.lrwp.events.channel.ChannelsAmount;
import org.lrwp.events.fanout.FanOut;
import org.lrwp.events.fanout.FanOutCounters;
import org.lrwp.events.policy.EventsKeys;
import org.lrwp.events.policy.EventsPolicy;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.Neighbours;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.ExchangeHandler;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Channels that are served, with everything that belongs to them. */
final class EventsModule implements PeerModule {
    private static final System.Logger LOG = System.getLogger(EventsModule.class.getName());

    private final Counters counters = new Counters();
    private final FanOutCounters fanOutCounters = new FanOutCounters();
    private final Channels channels;
    private final FanOut fanOut;
    private final Subscribing subscribing;
    private final EventsHandler handler;
    private final @Nullable AccessServer server;
    private final Keeping keeping;
    private final ScheduledExecutorService house;

    private EventsModule(
            Live<EventsPolicy> policy,
            Values values,
            @Nullable AccessServer server,
            Keeping keeping,
            @Nullable Neighbours neighbours) {
        this.server = server;
        this.keeping = keeping;
        this.channels = keeping.channels(() -> policy.get().channels());
        this.fanOut =
                new FanOut(
                        channels,
                        () -> policy.get().fanOut(),
                        fanOutCounters,
                        System::nanoTime,
                        () -> ThreadLocalRandom.current().nextLong(),
                        values.get(EventsKeys.DRAINERS));
        this.subscribing =
                new Subscribing(
                        channels,
                        fanOut,
                        fanOutCounters,
                        counters,
                        () -> ThreadLocalRandom.current().nextLong());
        this.handler =
                new EventsHandler(
                        policy::get,
                        new EventsHandler.Parts(
                                channels,
                                new Doorkeeper(InstantSource.system(), counters, server),
                                subscribing,
                                new Publishing(channels, fanOut, counters, keeping.executor())));
        this.house =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("events-house").factory());
        if (neighbours != null) {
            Sharing.begin(neighbours, channels, fanOut, counters);
        }
        fanOut.start();
        Future<?> _ = house.scheduleAtFixedRate(channels::keepHouse, 1, 1, TimeUnit.SECONDS);
    }

    /** Opens the channels; blocks. */
    static EventsModule open(ModuleSetup setup) throws BadConfigurationException {
        Live<EventsPolicy> policy = setup.configuration().bind(EventsPolicy::of);
        Values values = setup.configuration().values();
        Keeping keeping = Keeping.open(setup.configuration());
        try {
            return new EventsModule(
                    policy, values, server(values), keeping, neighbours(setup, values));
        } catch (BadConfigurationException | RuntimeException e) {
            keeping.close();
            throw e;
        }
    }

    /** What a file has kept has no names that other nodes know. */
    private static @Nullable Neighbours neighbours(ModuleSetup setup, Values values) {
        if (setup.neighbours() != null && !values.get(EventsKeys.FILE).isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "events-not-shared module={0} reason=\"it has a file\"",
                    setup.name());
            return null;
        }
        return setup.neighbours();
    }

    private static @Nullable AccessServer server(Values values) throws BadConfigurationException {
        String url = values.get(EventsKeys.ACCESS_URL);
        if (url.isEmpty()) {
            return null;
        }
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new BadConfigurationException("access-url = " + url + ": not a URL");
        }
        if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
            throw new BadConfigurationException("access-url = " + url + ": not a URL of HTTP");
        }
        return new AccessServer(
                uri, values.get(EventsKeys.ACCESS_TIME), values.get(EventsKeys.ACCESS_QUESTIONS));
    }

    @Override
    public ExchangeHandler handler() {
        return handler;
    }

    @Override
    public boolean isPrompt() {
        return true;
    }

    @Override
    public List<Figure> figures() {
        ChannelsAmount amount = channels.amount();
        FanOutCounters out = fanOutCounters;
        return List.of(
                Figure.gauge("streams", out.streams.get(), "clients", "Streams that are open."),
                Figure.gauge("polls", out.polls.get(), "clients", "Polls that wait."),
                Figure.gauge("clients", subscribing.clients(), "clients", "Addresses of these."),
                Figure.gauge("channels", amount.channels(), "channels", "Channels there are."),
                Figure.gauge("memory", amount.bytes(), "bytes", "Events kept, about."),
                Figure.counter(
                        "published", counters.published.sum(), "events", "Events published."),
                Figure.counter(
                        "heard", counters.heard.sum(), "events", "Published at other nodes."),
                Figure.counter(
                        "repeated", counters.repeated.sum(), "requests", "Repeated: same key."),
                Figure.counter(
                        "delivered", out.delivered.sum(), "events", "Events given to clients."),
                Figure.counter("emptyPolls", out.empty.sum(), "requests", "Nothing came: 204."),
                Figure.counter("gaps", out.gaps.sum(), "times", "Told that events are gone."),
                Figure.counter("cut", out.cut.sum(), "streams", "Cut: they took nothing."),
                Figure.counter("left", out.left.sum(), "clients", "Went away while they waited."),
                Figure.counter("failed", out.failed.sum(), "clients", "Answers that failed."),
                Figure.counter("refused", counters.refused.sum(), "requests", "Refused: 401, 403."),
                Figure.counter("full", counters.full.sum(), "requests", "At a limit: 429, 503."),
                Figure.gauge(
                        "lastFanOut",
                        out.lastNanos.get() / 1000,
                        "us",
                        "From the last event to its last client."));
    }

    @Override
    public void drain() {
        handler.drain();
        fanOut.drain();
    }

    @Override
    public void close() {
        house.shutdownNow();
        fanOut.close();
        keeping.close();
        if (server != null) {
            server.close();
        }
    }
}
