package org.lrwp.engine.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

class HandshakeTurnsTest {
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> computed = new ArrayList<>();
    private final List<String> dropped = new ArrayList<>();
    private final HandshakeTurns turns = new HandshakeTurns(threads::add, 4);

    private final class Named implements HandshakeTurns.Turn {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public void compute() {
            computed.add(name);
        }

        @Override
        public void drop() {
            dropped.add(name);
        }
    }

    private void fresh(String address, String name) {
        turns.await(InetAddress.ofLiteral(address), false, new Named(name));
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    @Test
    void addressesTakeTurns() {
        fresh("192.0.2.1", "a1");
        fresh("192.0.2.1", "a2");
        fresh("192.0.2.1", "a3");
        fresh("192.0.2.2", "b1");
        runAll();
        assertEquals(List.of("a1", "b1", "a2", "a3"), computed);
    }

    @Test
    void whatHasBegunGoesBeforeOthersOfItsAddress() {
        fresh("192.0.2.1", "a1");
        fresh("192.0.2.2", "b1");
        turns.await(InetAddress.ofLiteral("192.0.2.2"), true, new Named("b0"));
        runAll();
        assertEquals(List.of("a1", "b0", "b1"), computed);
    }

    @Test
    void aFloodFromOneAddressLosesItsOwn() {
        for (int i = 1; i <= 6; i++) {
            fresh("192.0.2.1", "a" + i);
        }
        assertEquals(List.of("a5", "a6"), dropped);
        fresh("192.0.2.2", "b1");
        assertEquals(List.of("a5", "a6", "a4"), dropped);
        assertEquals(4, threads.size());
        runAll();
        assertEquals(List.of("a1", "b1", "a2", "a3"), computed);
    }

    @Test
    void ofManyAddressesTheNewestFindsNoPlace() {
        for (int i = 1; i <= 5; i++) {
            fresh("192.0.2." + i, "a" + i);
        }
        assertEquals(List.of("a5"), dropped);
        runAll();
        assertEquals(List.of("a1", "a2", "a3", "a4"), computed);
    }

    @Test
    void aNetworkOfIpv6IsOneAddress() {
        fresh("2001:db8::1", "a1");
        fresh("2001:db8::2", "a2");
        fresh("2001:db8:0:1::1", "b1");
        runAll();
        assertEquals(List.of("a1", "b1", "a2"), computed);
    }

    @Test
    void withoutThreadsNothingWaits() {
        var ended =
                new HandshakeTurns(
                        work -> {
                            throw new RejectedExecutionException();
                        },
                        4);
        ended.await(InetAddress.ofLiteral("192.0.2.1"), false, new Named("a"));
        assertEquals(List.of("a"), dropped);
        assertThrows(IllegalArgumentException.class, () -> new HandshakeTurns(threads::add, 0));
    }
}
