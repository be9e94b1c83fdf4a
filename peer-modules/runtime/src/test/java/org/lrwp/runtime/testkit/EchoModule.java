package org.lrwp.runtime.testkit;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.ExchangeHandler;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A module that answers with a text that can be set. */
public final class EchoModule implements ModuleProvider {
    /** What it answers. */
    public static final Key<String> GREETING =
            Key.live("greeting", ValueTypes.TEXT, "hello", "What is answered.");

    /** How fast. */
    public static final Key<Long> RATE =
            Key.live("request-rate", ValueTypes.rate(1), "unlimited", "Bytes per second.");

    /** The rate of a class. */
    public static final Key<Long> CLASS_RATE =
            Key.live("class.*.rate", ValueTypes.rate(1), "10KB", "Rate of a class.");

    /** The path of a class. */
    public static final Key<String> CLASS_PATH =
            Key.live("class.*.path", ValueTypes.TEXT, "/", "Path of a class.");

    /** Must be set. */
    public static final Key<Integer> SIZE =
            Key.atStart("size", ValueTypes.count(1, 100), "", "Size of the module.");

    /** What the module makes of its values. */
    public record Config(String greeting, Map<String, Long> rates) {
        static Config from(Values values) {
            Map<String, Long> rates = new TreeMap<>();
            for (String name : values.members(CLASS_RATE)) {
                rates.put(name, values.of(CLASS_RATE, name));
            }
            if (values.get(GREETING).equals("forbidden") && rates.isEmpty()) {
                throw new IllegalArgumentException("greeting: forbidden without classes");
            }
            return new Config(values.get(GREETING), rates);
        }
    }

    @Override
    public String type() {
        return "echo";
    }

    @Override
    public String description() {
        return "Answers with a text.";
    }

    @Override
    public String defaultContext() {
        return "/echo";
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(GREETING, RATE, SIZE, CLASS_RATE, CLASS_PATH);
    }

    @Override
    public PeerModule open(ModuleSetup setup) throws BadConfigurationException {
        Live<Config> config = setup.configuration().bind(Config::from);
        AtomicLong answers = new AtomicLong();
        return new PeerModule() {
            @Override
            public ExchangeHandler handler() {
                return exchange -> {
                    answers.incrementAndGet();
                    exchange.answer(
                            200,
                            List.of(new HeaderField("Content-Type", "text/plain")),
                            ByteBuffer.wrap(
                                    config.get().greeting().getBytes(StandardCharsets.UTF_8)));
                };
            }

            @Override
            public List<Figure> figures() {
                return List.of(
                        Figure.counter("answersGiven", answers.get(), "answers", "Answers."));
            }

            @Override
            public void close() {}
        };
    }
}
