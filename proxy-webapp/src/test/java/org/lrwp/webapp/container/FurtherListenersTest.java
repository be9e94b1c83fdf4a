package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.webapp.edge.Edge;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

class FurtherListenersTest {
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(1);
    private final FurtherListeners further =
            new FurtherListeners(new Edge(InstantSource.system()), new OrphanTasks(executor));
    private final TCPNIOTransport shared = transport(false);
    private final TCPNIOTransport secure = transport(true);
    private final TCPNIOTransport plain = transport(false);
    private final IOStrategy own = secure.getIOStrategy();

    @BeforeEach
    void start() throws IOException {
        for (TCPNIOTransport one : List.of(shared, secure, plain)) {
            one.start();
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (TCPNIOTransport one : List.of(shared, secure, plain)) {
            one.shutdownNow();
        }
        executor.shutdownNow();
    }

    private static TCPNIOTransport transport(boolean secure) {
        TCPNIOTransport made = TCPNIOTransportBuilder.newInstance().build();
        FilterChainBuilder filters = FilterChainBuilder.stateless().add(new TransportFilter());
        made.setProcessor((secure ? filters.add(new SSLBaseFilter()) : filters).build());
        return made;
    }

    private void look(TCPNIOTransport... running) {
        further.look(
                List.of(running).stream()
                        .map(
                                one ->
                                        new ContainerListener(
                                                "x", one, KeepAliveLimits.NONE, false, false))
                        .toList(),
                shared);
    }

    @Test
    void allButTheSharedOneAreTakenAndGivenBack() {
        MemoryManager<?> memory = secure.getMemoryManager();
        look(shared, secure, plain);
        IOStrategy taken = secure.getIOStrategy();
        assertInstanceOf(LazyStrategy.class, taken);
        assertInstanceOf(LazyStrategy.class, plain.getIOStrategy());
        assertSame(own.getClass(), shared.getIOStrategy().getClass());
        assertSame(memory, secure.getMemoryManager());
        assertNotSame(memory, plain.getMemoryManager());

        look(shared, secure, plain);
        assertSame(taken, secure.getIOStrategy());

        further.release();
        assertSame(own, secure.getIOStrategy());
        assertSame(memory, secure.getMemoryManager());
    }

    @Test
    void oneThatHasStoppedIsForgottenAndWhatComesInItsPlaceIsTaken() throws Exception {
        look(secure);
        IOStrategy first = secure.getIOStrategy();
        look();
        assertSame(first, secure.getIOStrategy());

        secure.shutdownNow();
        look(plain);
        further.release();

        assertSame(first, secure.getIOStrategy());
        assertSame(own.getClass(), plain.getIOStrategy().getClass());
    }

    @Test
    void oneThatPeersWillShareIsGivenUp() {
        look(secure);
        further.giveUp(secure);
        assertSame(own, secure.getIOStrategy());
        further.giveUp(plain);
    }
}
