package org.lrwp.download.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.download.rate.Simulation.Download;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

class RateTreeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    private static void requireAbout(double expected, double within, long actual) {
        assertTrue(
                Math.abs(actual - expected) <= expected * within,
                () -> actual + " bytes instead of " + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "20000, 250",
        "20000, 1000",
        "1000, 250",
        "37, 250",
        "5000000, 50",
        "30000000, 250"
    })
    void downloadGetsItsRateToTheByte(long rate, int burstMillis) {
        Simulation simulation = new Simulation(Limit.NONE);
        Limit limit = new Limit(rate, Duration.ofMillis(burstMillis));
        Download download = simulation.download(simulation.client("a"), limit, 1 << 20);

        simulation.pass(MINUTE);

        long start = rate * 50 / 1000;
        long most = start + rate * 60;
        long least = rate * 60 - Math.min(limit.burstBytes(), 65_536) - rate * 20 / 1000;
        assertTrue(download.sent() <= most, download.sent() + " of " + most);
        assertTrue(download.sent() >= least, download.sent() + " of " + least);
    }

    @Test
    void downloadIsTouchedOnlyWhenItCanSendABurst() {
        Simulation simulation = new Simulation(Limit.NONE);
        Download download = simulation.download(simulation.client("a"), Limit.of(20_000));

        simulation.pass(MINUTE);

        assertTrue(download.grants() <= 241, download.grants() + " wake-ups in a minute");
    }

    @Test
    void newDownloadDoesNotWaitForAWholeBurst() {
        Simulation simulation = new Simulation(Limit.NONE);
        Limit limit = new Limit(20_000, Duration.ofSeconds(1));
        Download download = simulation.download(simulation.client("a"), limit);

        simulation.pass(Duration.ofMillis(20));
        long first = download.sent();
        simulation.pass(Duration.ofMillis(1020));

        assertEquals(1000, first);
        assertEquals(2, download.grants());
    }

    @Test
    void newDownloadDoesNotWaitForAllThatAreDueAfterAPause() {
        Simulation simulation = new Simulation(Limit.NONE);
        Limit limit = Limit.of(20_000);
        List<Download> due = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            due.add(simulation.download(simulation.client("c" + i), limit));
            simulation.pass(Duration.ofMillis(10));
        }
        List<Integer> grants = due.stream().map(Download::grants).toList();
        List<Long> waiting = new ArrayList<>();

        simulation
                .tree()
                .advance(
                        simulation.now() + SECOND.toNanos(),
                        () -> {
                            if (waiting.isEmpty()) {
                                Download fresh =
                                        simulation.download(simulation.client("new"), limit);
                                assertEquals(1, fresh.grants());
                                waiting.add(
                                        IntStream.range(0, due.size())
                                                .filter(i -> due.get(i).grants() == grants.get(i))
                                                .count());
                            }
                        });

        assertTrue(waiting.getFirst() > 15, () -> waiting + " of 20 came behind the new one");
    }

    @Test
    void capOfAllIsKeptAndUsedAndClientsShareItAlike() {
        Simulation simulation = new Simulation(Limit.of(1_000_000));
        List<Download> downloads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            downloads.add(simulation.download(simulation.client("c" + i), Limit.of(20_000)));
        }

        simulation.pass(MINUTE);

        requireAbout(60_000_000, 0.01, simulation.sent());
        long least = downloads.stream().mapToLong(Download::sent).min().orElseThrow();
        long most = downloads.stream().mapToLong(Download::sent).max().orElseThrow();
        assertTrue(least >= 0.9 * most, least + " and " + most);
    }

    @Test
    void clientWithManyConnectionsGetsNoMoreThanOneWithOne() {
        Simulation simulation = new Simulation(Limit.of(1_000_000));
        Download single = simulation.download(simulation.client("single"), Limit.NONE);
        List<Download> many = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            many.add(simulation.download(simulation.client("many"), Limit.NONE));
        }

        simulation.pass(MINUTE);

        requireAbout(30_000_000, 0.02, single.sent());
        for (Download one : many) {
            requireAbout(3_000_000, 0.05, one.sent());
        }
    }

    @Test
    void sharesAreAlikeWhateverTheSizeOfWhatIsSent() {
        Simulation simulation = new Simulation(Limit.of(1_000_000));
        Download small = simulation.download(simulation.client("small"), Limit.NONE, 1000);
        Download large = simulation.download(simulation.client("large"), Limit.NONE, 65_536);

        simulation.pass(MINUTE);

        requireAbout((double) small.sent(), 0.1, large.sent());
    }

    @Test
    void hundredsOfClientsShareAlikeWithinSecondsAndANewOneIsServedSoon() {
        Simulation simulation = new Simulation(Limit.of(20_000_000));
        List<Download> downloads = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            // Half of the clients have one download each, the others the rest.
            Group client = simulation.client("c" + (i < 300 ? i : i % 150));
            downloads.add(simulation.download(client, Limit.NONE, 4_000_000));
        }
        simulation.pass(SECOND);
        long[] before = clients(downloads);

        simulation.pass(TEN_SECONDS);

        long[] sent = clients(downloads);
        for (int i = 0; i < sent.length; i++) {
            sent[i] -= before[i];
        }
        Arrays.sort(sent);
        assertTrue(sent[0] >= 0.9 * sent[299], sent[0] + " and " + sent[299]);
        Download late = simulation.download(simulation.client("late"), Limit.NONE, 4_000_000);
        simulation.pass(HALF_A_SECOND);
        assertTrue(late.sent() > 0, "the new one waits");
    }

    @Test
    void whoIsAwayForAMomentAfterEachGrantGetsTheSame() {
        Simulation simulation = new Simulation(Limit.of(8_000_000));
        Download always = simulation.download(simulation.client("always"), Limit.NONE, 65_536);
        List<Download> others = new ArrayList<>();
        for (int i = 0; i < 19; i++) {
            others.add(
                    simulation
                            .download(simulation.client("c" + i), Limit.NONE, 65_536)
                            .pausing(Duration.ofMillis(30)));
        }

        simulation.pass(SECOND);
        long before = always.sent();
        long[] othersBefore = others.stream().mapToLong(Download::sent).toArray();

        simulation.pass(TEN_SECONDS);

        for (int i = 0; i < 19; i++) {
            long sent = others.get(i).sent() - othersBefore[i];
            requireAbout((double) (always.sent() - before), 0.1, sent);
        }
    }

    private static long[] clients(List<Download> downloads) {
        long[] sent = new long[300];
        for (int i = 0; i < downloads.size(); i++) {
            sent[i < 300 ? i : i % 150] += downloads.get(i).sent();
        }
        return sent;
    }

    @Test
    void classesShareByWeight() {
        Simulation simulation = new Simulation(Limit.of(1_000_000));
        Group gold = simulation.clients("gold", Limit.NONE, 3);
        Group plain = simulation.clients("plain", Limit.NONE, 1);
        RateTree tree = simulation.tree();
        Download one =
                simulation.download(tree.group(gold, "a", Quota.of(Limit.NONE), 1), Limit.NONE);
        Download other =
                simulation.download(tree.group(plain, "b", Quota.of(Limit.NONE), 1), Limit.NONE);

        simulation.pass(MINUTE);

        requireAbout(45_000_000, 0.03, one.sent());
        requireAbout(15_000_000, 0.03, other.sent());
    }

    @Test
    void whatOneCannotUseTheOthersGet() {
        Simulation simulation = new Simulation(Limit.of(1_000_000));
        Download slow = simulation.download(simulation.client("slow"), Limit.of(10_000));
        Download fast = simulation.download(simulation.client("fast"), Limit.NONE);

        simulation.pass(MINUTE);

        requireAbout(600_000, 0.03, slow.sent());
        requireAbout(59_400_000, 0.01, fast.sent());
    }

    @Test
    void nobodyStarvesBehindGreedyOnes() {
        Simulation simulation = new Simulation(Limit.of(100_000));
        for (int i = 0; i < 50; i++) {
            simulation.download(simulation.client("c" + i), Limit.NONE, 65_536);
        }
        simulation.pass(TEN_SECONDS);
        Download late = simulation.download(simulation.client("late"), Limit.NONE);

        simulation.pass(MINUTE);

        requireAbout(60.0 * 100_000 / 51, 0.2, late.sent());
    }

    @Test
    void limitsOfClassAndClientHoldTogether() {
        Simulation simulation = new Simulation(Limit.NONE);
        Group gold = simulation.clients("gold", Limit.of(50_000), 1);
        RateTree tree = simulation.tree();
        Download alone =
                simulation.download(
                        tree.group(gold, "a", Quota.of(Limit.of(10_000)), 1), Limit.NONE);
        Group more = tree.group(gold, "b", Quota.of(Limit.NONE), 1);
        Download other = simulation.download(more, Limit.of(100_000));

        simulation.pass(MINUTE);

        requireAbout(600_000, 0.03, alone.sent());
        requireAbout(2_400_000, 0.02, other.sent());
    }

    @Test
    void changedRateHoldsFromNowOn() {
        Simulation simulation = new Simulation(Limit.NONE);
        Group client = simulation.client("a");
        Download download = simulation.download(client, Limit.of(20_000));
        simulation.pass(TEN_SECONDS);
        long before = download.sent();

        simulation.tree().join(download.flow(), client, Limit.of(200_000));
        simulation.pass(TEN_SECONDS);
        long fast = download.sent() - before;
        simulation.tree().join(download.flow(), client, Limit.of(2_000));
        simulation.pass(TEN_SECONDS);
        long slow = download.sent() - before - fast;

        requireAbout(200_000, 0.04, before);
        requireAbout(2_000_000, 0.04, fast);
        requireAbout(20_000, 0.06, slow);
    }

    @Test
    void changedCapOfAllIsFeltWithinASecond() {
        Simulation simulation = new Simulation(Limit.of(1_000));
        for (int i = 0; i < 20; i++) {
            simulation.download(simulation.client("c" + i), Limit.NONE);
        }
        simulation.pass(MINUTE);
        requireAbout(60_000, 0.01, simulation.sent());
        long before = simulation.sent();

        simulation.tree().limit(simulation.tree().root(), Quota.of(Limit.of(500_000)));
        simulation.pass(Duration.ofSeconds(1));

        requireAbout(500_000, 0.3, simulation.sent() - before);
        simulation.pass(MINUTE);
        requireAbout(61 * 500_000, 0.01, simulation.sent() - before);
    }

    @Test
    void downloadThatChangesItsClassKeepsWhatItHasAndObeysTheNewOne() {
        Simulation simulation = new Simulation(Limit.NONE);
        RateTree tree = simulation.tree();
        Group slow =
                tree.group(
                        simulation.clients("slow", Limit.of(5_000), 1),
                        "a",
                        Quota.of(Limit.NONE),
                        1);
        Group fast =
                tree.group(
                        simulation.clients("fast", Limit.of(50_000), 1),
                        "a",
                        Quota.of(Limit.NONE),
                        1);
        Download download = simulation.download(slow, Limit.NONE);
        simulation.pass(TEN_SECONDS);
        long before = download.sent();

        tree.join(download.flow(), fast, Limit.NONE);
        simulation.pass(TEN_SECONDS);

        requireAbout(50_000, 0.05, before);
        requireAbout(500_000, 0.05, download.sent() - before);
    }

    @Test
    void clientThatDoesNotReadGivesItsCreditBack() {
        Simulation simulation = new Simulation(Limit.of(100_000));
        Download reads = simulation.download(simulation.client("reads"), Limit.NONE);
        Download stalls = simulation.download(simulation.client("stalls"), Limit.NONE);
        stalls.stall();

        simulation.pass(MINUTE);
        requireAbout(6_000_000, 0.02, reads.sent());
        stalls.readAgain();
        long before = stalls.sent();
        simulation.pass(MINUTE);

        requireAbout(3_000_000, 0.03, stalls.sent() - before);
    }

    @Test
    void clientThatComesBackFindsItsBucketAsItLeftIt() {
        Simulation simulation = new Simulation(Limit.NONE);
        RateTree tree = simulation.tree();
        long sent = 0;
        for (int i = 0; i < 600; i++) {
            Group gold = simulation.clients("gold", Limit.NONE, 1);
            Group client = tree.group(gold, "again", Quota.of(Limit.of(10_000)), 1);
            Download download = simulation.download(client, Limit.NONE);
            simulation.pass(Duration.ofMillis(100));
            download.leave();
            sent += download.sent();
        }

        requireAbout(600_000, 0.02, sent);
    }

    @Test
    void whoHasLeftIsForgotten() {
        Simulation simulation = new Simulation(Limit.of(1_000_000));
        Group gold = simulation.clients("gold", Limit.of(100_000), 1);
        for (int i = 0; i < 100; i++) {
            Group client = simulation.tree().group(gold, "c" + i, Quota.of(Limit.of(10_000)), 1);
            Download download = simulation.download(client, Limit.of(5_000));
            simulation.pass(Duration.ofMillis(10));
            download.leave();
        }
        assertFalse(gold.groups().isEmpty());

        simulation.pass(TEN_SECONDS);

        assertTrue(simulation.tree().root().groups().isEmpty());
        assertFalse(simulation.tree().isWaiting());
    }
}
