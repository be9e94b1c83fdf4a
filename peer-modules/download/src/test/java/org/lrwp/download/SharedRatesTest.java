package org.lrwp.download;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.download.policy.DownloadPolicy;
import org.lrwp.download.policy.Placement;
import org.lrwp.download.rate.Limit;
import org.lrwp.download.testkit.Settings;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.Neighbours;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.RecordedExchange;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

class SharedRatesTest {
    private static final Neighbours.Origin A = new Neighbours.Origin("a", 1);
    private static final Neighbours.Origin B = new Neighbours.Origin("b", 1);
    private static final Neighbours.Origin C = new Neighbours.Origin("c", 1);

    @TempDir Path root;
    private final AtomicLong nanos = new AtomicLong();
    private final SharedRates a = new SharedRates(nanos::get);
    private final SharedRates b = new SharedRates(nanos::get);

    /** A download of a client, with limits of all three kinds. */
    private static SharedRates.Download download(String address) throws Exception {
        DownloadPolicy policy = policy();
        Placement place = policy.place(Head.get("/film/x").from(address), LocalTime.NOON);
        return SharedRates.Download.of(place, null);
    }

    private static DownloadPolicy policy() throws Exception {
        Configuration configuration =
                Settings.of(
                        "global-rate=900",
                        "client-rate=100",
                        "class.film.paths=/film/",
                        "class.film.rate=600",
                        "class.film.client-rate=300");
        return DownloadPolicy.of(configuration.values());
    }

    private boolean beat(SharedRates from, Neighbours.Origin who, SharedRates to, String... clients)
            throws Exception {
        List<SharedRates.Download> downloads = new ArrayList<>();
        for (String client : clients) {
            downloads.add(download(client));
        }
        return from.beat(
                downloads,
                word -> {
                    to.heard(who, 1, word);
                    return 1;
                });
    }

    private static List<Long> rates(SharedRates shares, String client) throws Exception {
        SharedRates.Download one = download(client);
        return List.of(
                shares.all(policy().global()).limit().rate(),
                shares.ofClass(one).limit().rate(),
                shares.ofClient(one).limit().rate());
    }

    @Test
    void aNodeHasThePartThatItHasOfTheDownloads() throws Exception {
        assertEquals(List.of(900L, 600L, 300L), rates(a, "192.0.2.1"));

        beat(a, A, b, "192.0.2.1", "192.0.2.1");
        beat(b, B, a, "192.0.2.2");

        assertEquals(List.of(600L, 400L, 300L), rates(a, "192.0.2.1"));
        assertEquals(List.of(300L, 200L, 300L), rates(b, "192.0.2.2"));
        // The first one here of a client that has two there.
        assertEquals(100L, rates(b, "192.0.2.1").getLast());
    }

    @Test
    void whatEndsAtOneNodeIsForTheOthersAgain() throws Exception {
        beat(a, A, b, "192.0.2.1");
        beat(b, B, a, "192.0.2.1");
        assertEquals(List.of(450L, 300L, 150L), rates(b, "192.0.2.1"));

        assertFalse(beat(b, B, a, "192.0.2.1"));
        beat(a, A, b);

        assertTrue(beat(b, B, a, "192.0.2.1"));
        assertEquals(List.of(900L, 600L, 300L), rates(b, "192.0.2.1"));
    }

    @Test
    void aNodeThatIsSilentDoesNotCount() throws Exception {
        beat(a, A, b, "192.0.2.1");
        beat(b, B, a, "192.0.2.1");
        nanos.addAndGet(SharedRates.SILENCE.toNanos() + 1);

        assertTrue(beat(b, B, a, "192.0.2.1"));

        assertEquals(List.of(900L, 600L, 300L), rates(b, "192.0.2.1"));
    }

    @Test
    void whoeverHasNothingIsSilentAfterTheWordThatSaysSo() throws Exception {
        List<byte[]> words = new ArrayList<>();
        Neighbours.Voice voice =
                word -> {
                    words.add(word);
                    return words.size();
                };

        a.beat(List.of(), voice);
        a.beat(List.of(download("192.0.2.1")), voice);
        a.beat(List.of(), voice);
        a.beat(List.of(), voice);

        assertEquals(2, words.size());
        assertEquals(0, words.getLast().length);
    }

    @Test
    void brokenWordsChangeNothing() throws Exception {
        beat(a, A, b, "192.0.2.1");

        b.heard(C, 1, new byte[7]);
        b.heard(C, 2, new byte[12 * (SharedRates.MOST_GROUPS + 1)]);
        b.heard(C, 3, new byte[] {0, 0, 0, 0, 0, 0, 0, 1, -1, -1, -1, -1});

        assertEquals(450L, rates(b, "192.0.2.1").getFirst());
    }

    @Test
    void wordsAreBounded() throws Exception {
        List<SharedRates.Download> downloads = new ArrayList<>();
        for (int i = 0; i < SharedRates.MOST_GROUPS; i++) {
            downloads.add(download("10.0." + i / 250 + "." + i % 250));
        }
        AtomicReference<byte[]> word = new AtomicReference<>(new byte[0]);

        a.beat(
                downloads,
                said -> {
                    word.set(said);
                    return 1;
                });
        b.heard(A, 1, word.get());

        assertEquals(12 * SharedRates.MOST_GROUPS, word.get().length);
        assertEquals(1, b.all(Limit.of(SharedRates.MOST_GROUPS)).limit().rate());
    }

    @Test
    void aDownloadFeelsWhatItsClientHasElsewhere() throws Exception {
        byte[] large = new byte[3_000_000];
        Files.write(root.resolve("large"), large);
        AtomicReference<Neighbours.Listener> ears = new AtomicReference<>(a);
        CountDownLatch told = new CountDownLatch(2);
        var module =
                new DownloadProvider()
                        .open(
                                new ModuleSetup(
                                        "files",
                                        List.of("/files"),
                                        Settings.of("client-rate=100MB", "root=" + root),
                                        new Neighbours() {
                                            @Override
                                            public Origin self() {
                                                return A;
                                            }

                                            @Override
                                            public Voice join(Listener listener) {
                                                ears.set(listener);
                                                return word -> {
                                                    told.countDown();
                                                    return told.getCount();
                                                };
                                            }
                                        }));
        try (module) {
            Head head = Head.get("/large");
            SharedRates.Download same =
                    SharedRates.Download.of(
                            DownloadPolicy.of(Settings.of("client-rate=100MB").values())
                                    .place(head, LocalTime.NOON),
                            null);
            Neighbours.Voice voice =
                    word -> {
                        ears.get().heard(B, 1, word);
                        return 1;
                    };
            b.beat(Collections.nCopies(100_000, same), voice);

            RecordedExchange exchange = new RecordedExchange(head);
            module.handler().handle(exchange);
            assertTrue(told.await(20, TimeUnit.SECONDS), "the others are told");
            assertTrue(exchange.bytes().length < large.length / 2, "it is slow");

            b.beat(List.of(), voice);
            assertEquals("complete", exchange.awaitEnd());
        }
    }
}
