package org.lrwp.webapp;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.ExchangeHandler;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A module of the tests: answers with a text, and remembers what became of it. */
public final class GreetingModule implements ModuleProvider {
    /** What happened to all modules of this kind since the last look. */
    static final List<String> EVENTS = new CopyOnWriteArrayList<>();

    private static final Key<String> GREETING =
            Key.live("greeting", ValueTypes.TEXT, "", "What is answered.");
    private static final Key<Integer> SIZE =
            Key.atStart("size", ValueTypes.count(1, 10), "1", "Size.");

    static List<String> events() {
        List<String> now = new ArrayList<>(EVENTS);
        EVENTS.clear();
        return now;
    }

    @Override
    public String type() {
        return "greeting";
    }

    @Override
    public String description() {
        return "Answers with a text.";
    }

    @Override
    public String defaultContext() {
        return "/greeting";
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(GREETING, SIZE);
    }

    @Override
    public PeerModule open(ModuleSetup setup) throws BadConfigurationException {
        var greeting = setup.configuration().bind(values -> values.get(GREETING));
        EVENTS.add("open " + setup.name() + " " + setup.contexts());
        return new PeerModule() {
            @Override
            public ExchangeHandler handler() {
                return exchange ->
                        exchange.answer(
                                200,
                                List.of(new HeaderField("Content-Type", "text/plain")),
                                ByteBuffer.wrap(greeting.get().getBytes(StandardCharsets.UTF_8)));
            }

            @Override
            public boolean isPrompt() {
                return true;
            }

            @Override
            public List<Figure> figures() {
                return List.of(Figure.gauge("letters", greeting.get().length(), "", "Letters."));
            }

            @Override
            public List<Action> actions() {
                return List.of(new Action("shout", "Says it aloud.", () -> greeting.get() + "!"));
            }

            @Override
            public void drain() {
                EVENTS.add("drain " + setup.name());
            }

            @Override
            public void close() {
                EVENTS.add("close " + setup.name());
            }
        };
    }
}
