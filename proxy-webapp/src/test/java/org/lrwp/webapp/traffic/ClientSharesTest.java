package org.lrwp.webapp.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.config.ClientLimit;
import org.lrwp.webapp.config.ClientName;
import org.lrwp.webapp.traffic.ClientShares.Passed;
import org.lrwp.webapp.traffic.ClientShares.Refused;
import org.lrwp.webapp.traffic.ClientShares.Verdict;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

class ClientSharesTest {
    private static final int MANY = 1000;
    private static final ClientName KEY = new ClientName(ClientName.Kind.FIELD, "X-Key");
    private static final ClientName SESSION = new ClientName(ClientName.Kind.COOKIE, "session");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final ClientShares shares = new ClientShares(nanos::get);

    private static RequestHead head(String address, String... fields) throws BadRequestException {
        var connection =
                new ClientConnection(InetAddress.ofLiteral(address), 1, "127.0.0.1", 80, false);
        var draft = new RequestHead.Draft("GET", "/osp", "HTTP/1.1", connection).field("Host", "a");
        for (int i = 0; i < fields.length; i += 2) {
            draft.field(fields[i], fields[i + 1]);
        }
        return draft.check();
    }

    private Verdict ask(ClientLimit limit, RequestHead head) {
        return shares.enter("/osp", limit, MANY, head);
    }

    private static void over(Verdict passed) {
        assertInstanceOf(Passed.class, passed).whenOver().run();
    }

    private static ClientLimit rate(int rate, int burst, ClientName name) {
        return new ClientLimit(rate, burst, 0, name);
    }

    @Test
    void aBurstPassesAndThenTheRateHolds() throws Exception {
        ClientLimit limit = rate(10, 5, ClientName.ADDRESS);
        RequestHead one = head("192.0.2.1");
        for (int i = 0; i < 5; i++) {
            over(ask(limit, one));
        }
        assertEquals(new Refused(1), ask(limit, one));
        over(ask(limit, head("192.0.2.2")));

        // Whoever is refused is not punished: a tenth of a second later one more may pass.
        nanos.addAndGet(Duration.ofMillis(100).toNanos());
        over(ask(limit, one));
        assertEquals(new Refused(1), ask(limit, one));

        nanos.addAndGet(Duration.ofHours(1).toNanos());
        for (int i = 0; i < 5; i++) {
            over(ask(limit, one));
        }
        assertInstanceOf(Refused.class, ask(limit, one));
    }

    @Test
    void overAMinuteAClientGetsItsRateAndItsBurst() throws Exception {
        ClientLimit limit = rate(50, 20, ClientName.ADDRESS);
        RequestHead head = head("192.0.2.1");
        int passed = 0;
        for (int i = 0; i < 60_000; i++) {
            passed += ask(limit, head) instanceof Passed ? 1 : 0;
            nanos.addAndGet(Duration.ofMillis(1).toNanos());
        }
        assertTrue(passed >= 3_018 && passed <= 3_020, "" + passed);
    }

    @Test
    void theWaitThatIsToldIsEnough() throws Exception {
        ClientLimit limit = rate(1, 1, ClientName.ADDRESS);
        RequestHead head = head("192.0.2.1");
        over(ask(limit, head));
        Refused refused = assertInstanceOf(Refused.class, ask(limit, head));
        nanos.addAndGet(Duration.ofSeconds(refused.retrySeconds()).toNanos());
        over(ask(limit, head));
    }

    @Test
    void requestsInFlightAreCountedUntilTheyAreOver() throws Exception {
        ClientLimit limit = new ClientLimit(0, 1, 2, ClientName.ADDRESS);
        RequestHead head = head("192.0.2.1");
        Verdict first = ask(limit, head);
        over(ask(limit, head));
        Verdict second = ask(limit, head);
        assertEquals(new Refused(1), ask(limit, head));
        over(first);
        over(ask(limit, head));
        over(second);
        assertEquals(0, shares.size());
    }

    @Test
    void clientsAreToldApartByFieldOrCookieAndElseByAddress() throws Exception {
        ClientLimit byKey = rate(1, 1, KEY);
        over(ask(byKey, head("192.0.2.1", "X-Key", "a")));
        over(ask(byKey, head("192.0.2.1", "X-Key", "b")));
        assertInstanceOf(Refused.class, ask(byKey, head("192.0.2.9", "X-Key", "a")));
        over(ask(byKey, head("192.0.2.1")));
        assertInstanceOf(Refused.class, ask(byKey, head("192.0.2.1", "X-Key", "x".repeat(300))));

        ClientLimit bySession = rate(1, 1, SESSION);
        over(ask(bySession, head("192.0.2.3", "Cookie", "sessions=1; a=session=2; session=s7")));
        assertInstanceOf(
                Refused.class, ask(bySession, head("192.0.2.4", "Cookie", "session=s7; b=2")));
        over(ask(bySession, head("192.0.2.4", "Cookie", "session=s8")));
    }

    @Test
    void whoeverHasAnIpv6NetworkIsOneClient() throws Exception {
        ClientLimit limit = rate(1, 1, ClientName.ADDRESS);
        over(ask(limit, head("2001:db8:1:2::7")));
        assertInstanceOf(Refused.class, ask(limit, head("2001:db8:1:2:ffff::1")));
        over(ask(limit, head("2001:db8:1:3::7")));
    }

    @Test
    void contextsDoNotShare() throws Exception {
        ClientLimit limit = rate(1, 1, ClientName.ADDRESS);
        RequestHead head = head("192.0.2.1");
        over(shares.enter("/a", limit, MANY, head));
        over(shares.enter("/b", limit, MANY, head));
        assertInstanceOf(Refused.class, shares.enter("/a", limit, MANY, head));
    }

    @Test
    void aFullTableForgetsTheIdleAndElseCountsNewcomersAsOne() throws Exception {
        ClientLimit limit = rate(1, 1, ClientName.ADDRESS);
        for (int i = 0; i < 10; i++) {
            over(shares.enter("/osp", limit, 10, head("192.0.2." + i)));
        }
        over(shares.enter("/osp", limit, 10, head("192.0.2.100")));
        assertInstanceOf(Refused.class, shares.enter("/osp", limit, 10, head("192.0.2.101")));
        assertEquals(11, shares.size());

        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        over(shares.enter("/osp", limit, 10, head("192.0.2.102")));
        assertEquals(1, shares.size());
    }

    @Test
    void manyThreadsTogetherGetTheBurst() throws Exception {
        ClientLimit limit = rate(1, 100, ClientName.ADDRESS);
        RequestHead head = head("192.0.2.1");
        try (var threads = Executors.newFixedThreadPool(8)) {
            List<Callable<Integer>> askers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                askers.add(
                        () -> {
                            int passed = 0;
                            for (int j = 0; j < 100; j++) {
                                if (ask(limit, head) instanceof Passed(Runnable whenOver)) {
                                    whenOver.run();
                                    passed++;
                                }
                            }
                            return passed;
                        });
            }
            int passed = 0;
            for (var asker : threads.invokeAll(askers)) {
                passed += asker.get();
            }
            assertEquals(100, passed);
        }
    }
}
