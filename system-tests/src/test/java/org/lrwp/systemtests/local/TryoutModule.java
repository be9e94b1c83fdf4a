package org.lrwp.systemtests.local;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A module that behaves well or badly, as the path says. */
public final class TryoutModule implements ModuleProvider {
    static final int BIG = 32 << 20;

    private static final Key<String> GREETING =
            Key.live("greeting", ValueTypes.TEXT, "hello", "What is answered.");
    private static final List<HeaderField> PLAIN =
            List.of(new HeaderField("Content-Type", "text/plain"));

    /** For the service loader. */
    public TryoutModule() {}

    @Override
    public String type() {
        return "tryout";
    }

    @Override
    public String description() {
        return "Behaves as the path says.";
    }

    @Override
    public String defaultContext() {
        return "/tryout";
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(GREETING);
    }

    @Override
    public PeerModule open(ModuleSetup setup) throws BadConfigurationException {
        return new Running(setup.configuration().bind(values -> values.get(GREETING)));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static final class Running implements PeerModule {
        private final Live<String> greeting;
        private final AtomicLong requests = new AtomicLong();
        private final Set<PeerExchange> waiting = ConcurrentHashMap.newKeySet();

        Running(Live<String> greeting) {
            this.greeting = greeting;
        }

        @Override
        public ExchangeHandler handler() {
            return this::handle;
        }

        private void handle(PeerExchange exchange) throws InterruptedException {
            requests.incrementAndGet();
            switch (exchange.request().pathInfo()) {
                case "/throws" -> throw new IllegalStateException("a test");
                case "/twice" -> {
                    exchange.answer(200, PLAIN, bytes("once"));
                    exchange.answer(200, PLAIN, bytes("twice"));
                }
                case "/never" -> exchange.listen(new ExchangeListener() {});
                case "/blocks" -> new CountDownLatch(1).await();
                case "/waits" -> wait(exchange);
                case "/echo" -> echo(exchange);
                case "/big" -> big(exchange);
                default -> exchange.answer(200, PLAIN, bytes(greeting.get()));
            }
        }

        private void wait(PeerExchange exchange) {
            waiting.add(exchange);
            exchange.listen(
                    new ExchangeListener() {
                        @Override
                        public void onCancelled(String reason) {
                            waiting.remove(exchange);
                            exchange.abort(reason);
                        }
                    });
        }

        private static void echo(PeerExchange exchange) {
            exchange.respond(200, PLAIN);
            exchange.listen(
                    new ExchangeListener() {
                        @Override
                        public void onBody(ByteBuffer bytes) {
                            if (!exchange.write(bytes)) {
                                exchange.pauseBody();
                            }
                        }

                        @Override
                        public void onWritable() {
                            exchange.resumeBody();
                        }

                        @Override
                        public void onBodyEnd() {
                            exchange.complete();
                        }

                        @Override
                        public void onCancelled(String reason) {
                            exchange.abort(reason);
                        }
                    });
        }

        private static void big(PeerExchange exchange) {
            var sender =
                    new ExchangeListener() {
                        private final ByteBuffer part = ByteBuffer.allocate(32_768);
                        private int left = BIG;

                        @Override
                        public void onWritable() {
                            while (left > 0) {
                                left -= part.remaining();
                                if (!exchange.write(part)) {
                                    return;
                                }
                            }
                            exchange.complete();
                        }

                        @Override
                        public void onCancelled(String reason) {
                            exchange.abort(reason);
                        }
                    };
            exchange.listen(sender);
            exchange.respond(
                    200, List.of(new HeaderField("Content-Length", Integer.toString(BIG))));
            sender.onWritable();
        }

        @Override
        public List<Figure> figures() {
            return List.of(
                    Figure.gauge("requests", requests.get(), "requests", "Requests that came."),
                    Figure.gauge("waiting", waiting.size(), "requests", "Requests that wait."));
        }

        @Override
        public void drain() {
            List<HeaderField> later = List.of(new HeaderField("Retry-After", "3"));
            waiting.forEach(one -> one.answer(503, later, bytes("later")));
        }

        @Override
        public void close() {}
    }
}
