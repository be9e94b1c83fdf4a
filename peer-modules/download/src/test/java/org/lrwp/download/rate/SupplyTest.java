package org.lrwp.download.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.download.rate.Simulation.Download;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

class SupplyTest {
    private static final Limit LIMIT = Limit.of(100_000);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Brings what is asked for when the test says so. */
    private static final class ByHand implements Supply {
        final List<Long> asked = new ArrayList<>();
        long back;

        @Override
        public void draw(Group group, long bytes) {
            asked.add(bytes);
        }

        @Override
        public void giveBack(long bytes) {
            back += bytes;
        }
    }

    private final Simulation simulation = new Simulation(Limit.NONE);
    private final RateTree tree = simulation.tree();
    private final ByHand supply = new ByHand();
    private final Group group = group(supply);

    private Group group(Supply from) {
        return tree.group(
                simulation.clients("default", Limit.NONE, 1), "a", new Quota(LIMIT, from), 1);
    }

    @Test
    void nothingIsSentBeforeItIsBroughtHoweverLongThatTakes() {
        Download download = simulation.download(group, Limit.NONE);

        simulation.pass(Duration.ofSeconds(10));

        assertEquals(0, download.sent());
        assertEquals(List.of(25_000L), supply.asked);

        tree.deposit(group, supply, 25_000);
        simulation.pass(Duration.ofMillis(20));

        assertTrue(download.sent() > 0);
        assertEquals(2, supply.asked.size());
        simulation.pass(SECOND);
        assertTrue(download.sent() <= 25_000, download.sent() + " of 25,000 bytes");
    }

    @Test
    void whatDoesNotComeIsAskedForAgainAfterAMoment() {
        Download download = simulation.download(group, Limit.NONE);
        simulation.pass(SECOND);
        assertEquals(List.of(25_000L), supply.asked);

        tree.failed(group, new ByHand());
        simulation.pass(Duration.ofSeconds(5));
        assertEquals(1, supply.asked.size(), "another one's failure");

        tree.failed(group, supply);
        simulation.pass(SECOND.plusMillis(100));

        assertEquals(List.of(25_000L, 25_000L), supply.asked);
        tree.deposit(group, supply, 25_000);
        simulation.pass(Duration.ofMillis(20));
        assertTrue(download.sent() > 0);
    }

    @Test
    void whatIsLeftGoesBackWithTheLastDownload() {
        Download download = simulation.download(group, Limit.NONE, 10_000);
        download.pausing(Duration.ofHours(1));
        simulation.pass(SECOND);
        tree.deposit(group, supply, 25_000);
        simulation.pass(SECOND);
        assertEquals(10_000, download.sent());

        download.leave();

        assertEquals(15_000, supply.back);
    }

    @Test
    void whatComesTooLateGoesBack() {
        Download download = simulation.download(group, Limit.NONE);
        simulation.pass(SECOND);
        download.leave();

        tree.deposit(group, supply, 25_000);

        assertEquals(25_000, supply.back);
    }

    @Test
    void whatABucketCannotHoldGoesBack() {
        simulation.download(group, Limit.NONE).stall();

        tree.deposit(group, supply, 60_000);

        assertEquals(10_000, supply.back);
    }

    @Test
    void withoutItsSupplyALimitIsKeptByTimeAgain() {
        Download download = simulation.download(group, Limit.NONE);
        simulation.pass(SECOND);

        tree.limit(group, Quota.of(LIMIT));
        simulation.pass(SECOND);

        assertTrue(download.sent() > 80_000, download.sent() + " of 100,000 bytes");
        tree.deposit(group, supply, 25_000);
        assertEquals(25_000, supply.back);
    }

    @Test
    void whatAFormerSupplyBroughtIsNotMixedWithThatOfAnother() {
        simulation.download(group, Limit.NONE).stall();
        tree.deposit(group, supply, 25_000);
        var other = new ByHand();

        assertEquals(group, group(other));

        assertEquals(0, other.back);
        assertTrue(supply.back > 0);
        assertEquals(List.of(25_000L), other.asked);
    }
}
