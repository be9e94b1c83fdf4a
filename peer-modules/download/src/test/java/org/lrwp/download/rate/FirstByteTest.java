package org.lrwp.download.rate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.download.rate.Simulation.Download;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When a download begins where all together are short, and what that takes from the others. */
class FirstByteTest {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final int FILE = 4_000_000;

    private final Simulation simulation = new Simulation(Limit.of(20_000_000));

    private Download download(String client) {
        return simulation.download(simulation.client(client), Limit.NONE, FILE);
    }

    /** Of 300 clients half have one download and half have 59: 67 KB/s for each client. */
    private List<Download> crowd() {
        List<Download> downloads = new ArrayList<>();
        for (int i = 0; i < 9000; i++) {
            downloads.add(download("c" + (i < 300 ? i : i % 150)));
        }
        return downloads;
    }

    @Test
    void thousandsThatComeAtOnceAllBeginWithinTwoSeconds() {
        List<Download> downloads = crowd();

        simulation.pass(TEN_SECONDS);

        // 59 first turns, and one for an old download after each three, are 1.7 s of 67 KB/s.
        long last = downloads.stream().mapToLong(Download::firstMillis).max().orElseThrow();
        assertTrue(last <= 2000, last + " ms");
        long single =
                downloads.subList(150, 300).stream()
                        .mapToLong(Download::firstMillis)
                        .max()
                        .orElseThrow();
        assertTrue(single <= 200, single + " ms");
    }

    @Test
    void everyDownloadOfAClientGoesOnEverySecondOrTwo() {
        List<Download> downloads = crowd();
        simulation.pass(TEN_SECONDS);
        long[] before = downloads.stream().mapToLong(Download::sent).toArray();

        simulation.pass(Duration.ofSeconds(2));

        for (int i = 0; i < before.length; i++) {
            assertTrue(downloads.get(i).sent() > before[i], "download " + i + " waits");
        }
    }

    @Test
    void anotherDownloadOfABusyClientBeginsWithinABurstAndItsClientGetsNoMore() {
        List<Download> downloads = crowd();
        simulation.pass(TEN_SECONDS);

        Download another = download("c0");
        Download ofNewClient = download("new");
        long single = downloads.get(299).sent();
        long busy = sentBy(downloads, 0);
        simulation.pass(TEN_SECONDS);

        assertTrue(another.firstMillis() <= 200, another.firstMillis() + " ms");
        assertTrue(ofNewClient.firstMillis() <= 200, ofNewClient.firstMillis() + " ms");
        long got = sentBy(downloads, 0) - busy + another.sent();
        long wanted = downloads.get(299).sent() - single;
        assertTrue(Math.abs(got - wanted) <= 0.1 * wanted, got + " beside " + wanted);
    }

    private static long sentBy(List<Download> downloads, int client) {
        long sent = downloads.get(client).sent();
        for (int i = 300; i < downloads.size(); i++) {
            sent += i % 150 == client ? downloads.get(i).sent() : 0;
        }
        return sent;
    }

    @Test
    void newDownloadsWithoutEndDoNotStopTheOldOnes() {
        crowd();
        Download old = download("busy");
        simulation.pass(SECOND);
        long before = old.sent();
        List<Download> others = new ArrayList<>();

        // 145 KB/s of first turns for a client that gets 67 KB/s.
        for (int i = 0; i < 1000; i++) {
            others.add(download("busy"));
            simulation.pass(Duration.ofMillis(10));
            others.stream().filter(other -> other.sent() > 0).forEach(Download::leave);
            others.removeIf(other -> other.sent() > 0);
        }

        long sent = old.sent() - before;
        assertTrue(sent >= 10 * 66_000 / 5, sent + " bytes in ten seconds");
    }

    @Test
    void clientThatComesAnewForEachTurnGetsNoMoreThanOneThatStays() {
        List<Download> downloads = crowd();
        simulation.pass(SECOND);
        long before = downloads.get(299).sent();
        long sent = 0;

        Download mine = download("again");
        for (int i = 0; i < 10_000; i++) {
            simulation.pass(MILLISECOND);
            if (mine.sent() > 0) {
                sent += mine.sent();
                mine.leave();
                mine = download("again");
            }
        }

        long stays = downloads.get(299).sent() - before;
        assertTrue(sent <= 1.1 * stays, sent + " beside " + stays);
    }

    @Test
    void fastCapIsNotCutIntoCrumbs() {
        Simulation fast = new Simulation(Limit.of(200_000_000));
        List<Download> downloads = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            downloads.add(fast.download(fast.client("c" + i % 2), Limit.NONE, 100 * FILE));
        }
        fast.pass(SECOND);
        int before = downloads.stream().mapToInt(Download::grants).sum();

        fast.pass(SECOND);

        int turns = downloads.stream().mapToInt(Download::grants).sum() - before;
        assertTrue(turns <= 11_000, turns + " turns in a second");
    }
}
