package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.network.Network;
import org.lrwp.webapp.client.AddressCounts.Entry;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

class AddressCountsTest {
    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");

    private static AddressCounts counts(int most) {
        return new AddressCounts("connections", most, Network.LOOPBACK, () -> 0);
    }

    @Test
    void aNewLimitHoldsForWhatComesAndWhatIsOpenCounts() throws Exception {
        InetAddress client = InetAddress.getByName("192.0.2.1");
        AddressCounts counts = counts(1);
        assertEquals(Entry.COUNTED, counts.enter(client));

        counts.limit(2, List.of());
        assertEquals(Entry.COUNTED, counts.enter(client));
        counts.limit(1, List.of());
        assertEquals(Entry.REFUSED, counts.enter(client));
        counts.limit(1, List.of(Network.parse("192.0.2.0/24")));
        assertEquals(Entry.FREE, counts.enter(client));
        counts.leave(client);
        counts.leave(client);
        assertEquals(0, counts.size());
    }

    @Test
    void anAddressHasAsManyAsTheLimitAndNoMore() {
        AddressCounts counts = counts(2);
        assertEquals(Entry.COUNTED, counts.enter(ONE));
        assertEquals(Entry.COUNTED, counts.enter(ONE));
        assertEquals(Entry.REFUSED, counts.enter(ONE));
        assertEquals(Entry.COUNTED, counts.enter(OTHER));
        counts.leave(ONE);
        assertEquals(Entry.COUNTED, counts.enter(ONE));
        assertEquals(1, counts.refused());
    }

    @Test
    void anAddressWithNothingOpenTakesNoMemory() {
        AddressCounts counts = counts(1);
        assertEquals(Entry.COUNTED, counts.enter(ONE));
        assertEquals(Entry.REFUSED, counts.enter(ONE));
        assertEquals(1, counts.size());
        counts.leave(ONE);
        assertEquals(0, counts.size());
    }

    @Test
    void exemptAddressesAreNotCounted() {
        AddressCounts counts = counts(1);
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        assertEquals(Entry.FREE, counts.enter(here));
        assertEquals(Entry.FREE, counts.enter(here));
        assertEquals(0, counts.size());
    }

    @Test
    void noLimitCountsNothing() {
        AddressCounts counts = counts(0);
        assertEquals(Entry.FREE, counts.enter(ONE));
        assertEquals(0, counts.size());
        assertThrows(IllegalArgumentException.class, () -> counts(-1));
    }

    @Test
    void aNetworkOf64BitsIsOneAddress() {
        AddressCounts counts = counts(1);
        assertEquals(Entry.COUNTED, counts.enter(InetAddress.ofLiteral("2001:db8:0:1::1")));
        assertEquals(Entry.REFUSED, counts.enter(InetAddress.ofLiteral("2001:db8:0:1:2::3")));
        assertEquals(Entry.COUNTED, counts.enter(InetAddress.ofLiteral("2001:db8:0:2::1")));
        counts.leave(InetAddress.ofLiteral("2001:db8:0:1::9"));
        assertEquals(1, counts.size());
    }

    @Test
    void manyThreadsLeaveNothingBehind() throws Exception {
        AddressCounts counts = new AddressCounts("requests", 3, List.of(), () -> 0);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<? extends Future<?>> all =
                    IntStream.range(0, 8)
                            .mapToObj(i -> threads.submit(() -> comeAndGo(counts)))
                            .toList();
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertEquals(0, counts.size());
    }

    private static void comeAndGo(AddressCounts counts) {
        for (int i = 0; i < 10_000; i++) {
            if (counts.enter(ONE) == Entry.COUNTED) {
                counts.leave(ONE);
            }
        }
    }
}
