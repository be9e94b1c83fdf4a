package org.lrwp.download.rate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random trees with downloads that come, go, stall and use part of what they get: no bucket on the
 * way is ever overdrawn, and nothing that could be sent is lost.
 */
class RateTreeRandomTest {
    private static final long START = 1_000_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    /** An independent account of one bucket, in bytes. */
    private static final class Account {
        private final double rate;
        private final double capacity;
        private double level;
        private long at = START;

        Account(Limit limit, long start) {
            rate = (double) limit.rate();
            capacity = 2.0 * Math.max(1L, limit.rate() * limit.burst().toMillis() / 1000);
            level = (double) start;
        }

        void move(long bytes, long now) {
            if (rate > 0) {
                level = Math.min(capacity, level + rate * (now - at) / SECOND);
                at = now;
                level = Math.min(capacity, level - bytes);
                assertTrue(level > -0.01, () -> "overdrawn by " + -level);
            }
        }
    }

    /** A place of the tree with its account. */
    private record Place(String name, Limit limit, Account account, List<Place> inside) {
        static Place of(String name, Limit limit, long start) {
            return new Place(name, limit, new Account(limit, start), new ArrayList<>());
        }

        /** What can pass it when everybody sends. */
        double capacity() {
            double inner = inside.stream().mapToDouble(Place::capacity).sum();
            double own = limit.isLimited() ? (double) limit.rate() : Double.MAX_VALUE;
            return inside.isEmpty() ? own : Math.min(own, inner);
        }
    }

    private final class Sender {
        private final Flow flow = new Flow(this::granted);
        private final List<Place> way;
        private boolean steady;
        private boolean asks = true;

        Sender(List<Place> way) {
            this.way = way;
        }

        private void granted(Flow mine, long bytes) {
            way.forEach(place -> place.account.move(bytes, now));
            sent += bytes;
            long unused = steady || random.nextInt(4) > 0 ? 0 : random.nextLong(bytes + 1);
            if (unused > 0) {
                sent -= unused;
                tree.giveBack(mine, unused);
                way.forEach(place -> place.account.move(-unused, now));
            }
            asks = !steady && random.nextInt(3) == 0;
            if (!asks) {
                want();
            }
        }

        void want() {
            asks = false;
            tree.want(flow, steady ? 65_536 : 1 + random.nextInt(100_000));
        }
    }

    private Random random = new Random(0);
    private RateTree tree = new RateTree(Limit.NONE, START);
    private final List<Sender> senders = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();
    private long now = START;
    private long sent;

    private Limit limit(boolean always) {
        if (!always && random.nextInt(3) == 0) {
            return Limit.NONE;
        }
        long rate = 1000L + random.nextInt(random.nextBoolean() ? 50_000 : 5_000_000);
        return new Limit(rate, Duration.ofMillis(50 + random.nextInt(500)));
    }

    private Place place(String name, Place parent) {
        return places.computeIfAbsent(
                name,
                key -> {
                    Limit limit = limit(false);
                    Place place = Place.of(name, limit, limit.burstBytes());
                    parent.inside.add(place);
                    return place;
                });
    }

    private void join(Place root, int number) {
        Place cls = place("class" + random.nextInt(3), root);
        Place client = place(cls.name + "/client" + random.nextInt(4), cls);
        Limit limit = limit(true);
        Place own = Place.of("flow" + number, limit, limit.bytesIn(Duration.ofMillis(50)));
        client.inside.add(own);
        Sender sender = new Sender(List.of(root, cls, client, own));
        senders.add(sender);
        Group group = tree.group(tree.root(), cls.name, Quota.of(cls.limit), 1 + random.nextInt(3));
        tree.join(sender.flow, tree.group(group, client.name, Quota.of(client.limit), 1), limit);
        // The account of a bucket that comes late begins now.
        own.account.at = now;
        sender.want();
    }

    private void pass(Duration time) {
        long until = now + time.toNanos();
        while (now < until) {
            now += 1 + random.nextInt(15_000_000);
            tree.advance(now, () -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void noBucketIsOverdrawnAndNothingIsLost(int seed) {
        random = new Random(seed);
        Limit global = limit(false);
        tree = new RateTree(global, START);
        Place root = Place.of("all", global, global.burstBytes());
        for (int i = 0; i < 30; i++) {
            join(root, i);
            pass(Duration.ofMillis(random.nextInt(300)));
            Sender any = senders.get(random.nextInt(senders.size()));
            if (any.asks) {
                any.want();
            }
        }
        for (int i = 0; i < 10; i++) {
            Sender leaving = senders.remove(random.nextInt(senders.size()));
            tree.leave(leaving.flow);
            Place client = leaving.way.get(2);
            client.inside.remove(leaving.way.get(3));
            if (client.inside.isEmpty()) {
                leaving.way.get(1).inside.remove(client);
            }
            if (leaving.way.get(1).inside.isEmpty()) {
                root.inside.remove(leaving.way.get(1));
            }
        }
        for (Sender sender : senders) {
            sender.steady = true;
            sender.want();
        }
        pass(Duration.ofSeconds(5));
        long before = sent;
        long begin = now;
        pass(Duration.ofSeconds(30));

        double expected = root.capacity() * (now - begin) / SECOND;
        double actual = (double) (sent - before);
        assertTrue(
                Math.abs(actual - expected) <= expected * 0.02 + 70_000,
                () -> actual + " bytes instead of " + expected + ", seed " + seed);
    }
}
