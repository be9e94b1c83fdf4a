package org.lrwp.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

class RenewalTest {
    private static final Instant NOW = Instant.parse("2026-11-24T00:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LIFE = Duration.ofDays(90);

    @TempDir private Path parent;
    private final SetClock clock = new SetClock(NOW);
    private final Authority authority = new Authority();
    private CertificateFolder folder;
    private @Nullable Renewal renewal;

    /** Issues at once, or fails as the test says. */
    private final class Authority implements Issuer {
        private String[] names = {"a.test", "b.test"};
        private Duration life = LIFE;
        private @Nullable Throwable fault;
        private int orders;

        @Override
        public CertifiedKey issue() throws IOException, InterruptedException {
            orders++;
            try {
                if (fault != null) {
                    throw fault;
                }
                return TestCertificates.pair(clock.instant(), life, names);
            } catch (IOException | InterruptedException | RuntimeException | LinkageError e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    @BeforeEach
    void open() throws Exception {
        folder = CertificateFolder.open(parent.resolve("acme"));
    }

    @AfterEach
    void close() {
        if (renewal != null) {
            renewal.close();
        }
    }

    private Renewal start(String... settings) throws Exception {
        AcmeConfig config = Settings.config(parent, settings);
        Renewal started = new Renewal("test", config, folder, authority, clock, clock);
        renewal = started;
        started.start();
        return started;
    }

    private Instant kept() throws IOException {
        CertifiedKey pair = folder.pair();
        assertNotNull(pair);
        return pair.end();
    }

    @Test
    void firstOrderWaitsUntilThePortsAreOpen() throws Exception {
        Renewal started = start();

        clock.advance(Duration.ofSeconds(9));
        assertEquals(0, authority.orders);
        clock.advance(SECOND);

        assertEquals(1, authority.orders);
        assertEquals(NOW.plusSeconds(10).plus(LIFE), kept());
        assertEquals(1, started.progress().issued());
    }

    @Test
    void certificateIsRenewedThirtyDaysBeforeItsEnd() throws Exception {
        folder.install(TestCertificates.pair(NOW, LIFE, "a.test", "b.test"));
        start();

        clock.advance(Duration.ofDays(60).minus(SECOND));
        assertEquals(0, authority.orders);
        clock.advance(SECOND);

        assertEquals(1, authority.orders);
        assertEquals(NOW.plus(Duration.ofDays(150)), kept());
        clock.advance(Duration.ofDays(60));
        assertEquals(2, authority.orders);
    }

    @Test
    void shortCertificateIsRenewedWhenAThirdOfItsLifeIsLeft() throws Exception {
        folder.install(TestCertificates.pair(NOW, Duration.ofDays(6), "a.test", "b.test"));
        start();

        clock.advance(Duration.ofDays(4).minus(SECOND));
        assertEquals(0, authority.orders);
        clock.advance(SECOND);
        assertEquals(1, authority.orders);
    }

    @Test
    void machineThatSleptRenewsWithinTheHour() throws Exception {
        folder.install(TestCertificates.pair(NOW, LIFE, "a.test", "b.test"));
        start();

        clock.jump(Duration.ofDays(70));
        clock.advance(Duration.ofHours(1));

        assertEquals(1, authority.orders);
    }

    @Test
    void missingNameIsAReasonForANewCertificate() throws Exception {
        folder.install(TestCertificates.pair(NOW, LIFE, "a.test"));
        start();

        clock.advance(Duration.ofSeconds(10));
        assertEquals(1, authority.orders);
    }

    @Test
    void oneNameMoreThanNeededIsNone() throws Exception {
        folder.install(TestCertificates.pair(NOW, LIFE, "a.test", "b.test", "c.test"));
        start();

        clock.advance(DAY);
        assertEquals(0, authority.orders);
    }

    @Test
    void pairThatCannotBeUsedIsReplaced() throws Exception {
        folder.install(TestCertificates.pair(NOW, LIFE, "a.test", "b.test"));
        Files.writeString(parent.resolve("acme/key.pem"), "damaged");
        start();

        clock.advance(Duration.ofSeconds(10));
        assertEquals(NOW.plusSeconds(10).plus(LIFE), kept());
    }

    @Test
    void oldCertificateStaysWhileOrdersFailAndTheyComeLessAndLessOften() throws Exception {
        Instant end = NOW.plus(LIFE);
        folder.install(TestCertificates.pair(NOW, LIFE, "a.test", "b.test"));
        Renewal started = start();
        authority.fault = new IOException("no route");

        clock.advance(Duration.ofDays(60));
        assertEquals(1, authority.orders);
        clock.advance(Duration.ofMinutes(5));
        assertEquals(2, authority.orders);
        clock.advance(Duration.ofMinutes(10));
        assertEquals(3, authority.orders);
        clock.advance(DAY);
        int day = authority.orders;
        clock.advance(DAY);
        assertEquals(day + 4, authority.orders);
        assertEquals(end, kept());
        assertEquals(authority.orders, started.progress().failures());
        assertNotNull(started.progress().lastFailure());

        authority.fault = null;
        clock.advance(DAY);
        assertTrue(kept().isAfter(end));
        assertEquals(0, started.progress().failures());
        assertEquals(day + 4, started.progress().failed());
    }

    @Test
    void directoryThatIsBusyIsLeftAloneAsLongAsItAsks() throws Exception {
        start();
        authority.fault =
                new Issuer.RefusedException("rate limited", Duration.ofHours(2), new IOException());

        clock.advance(Duration.ofMinutes(119));
        assertEquals(1, authority.orders);
        clock.advance(Duration.ofMinutes(2));
        assertEquals(2, authority.orders);
    }

    @Test
    void anyFaultIsFollowedByAnotherOrder() throws Exception {
        start();
        authority.fault = new IllegalStateException("planted");
        clock.advance(Duration.ofSeconds(10));
        authority.fault = new NoClassDefFoundError("planted");
        clock.advance(Duration.ofMinutes(5));
        authority.fault = null;

        clock.advance(Duration.ofMinutes(10));
        assertEquals(3, authority.orders);
        assertNotNull(folder.pair());
    }

    @Test
    void certificateWithoutTheNamesIsNotKept() throws Exception {
        Renewal started = start();
        authority.names = new String[] {"a.test"};

        clock.advance(Duration.ofSeconds(10));

        assertNull(folder.pair());
        assertEquals(1, started.progress().failed());
    }

    @Test
    void certificateThatHasEndedIsNotKept() throws Exception {
        Renewal started = start();
        authority.life = Duration.ZERO;

        clock.advance(Duration.ofSeconds(10));

        assertNull(folder.pair());
        assertEquals(1, started.progress().failed());
    }

    @Test
    void certificateThatEndsAtOnceIsNotOrderedAgainAndAgain() throws Exception {
        start();
        authority.life = SECOND;

        clock.advance(Duration.ofMinutes(14));
        assertEquals(3, authority.orders);
    }

    @Test
    void closedRenewalOrdersNoMore() throws Exception {
        Renewal started = start();
        started.close();
        started.close();

        clock.advance(DAY);
        assertEquals(0, authority.orders);
        assertTrue(clock.isClosed());
    }

    @Test
    void closeInterruptsTheOrderAndThatIsNoFailure() throws Exception {
        CountDownLatch ordering = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Issuer stalled =
                () -> {
                    ordering.countDown();
                    try {
                        new CountDownLatch(1).await();
                        throw new AssertionError("nobody opens it");
                    } finally {
                        interrupted.countDown();
                    }
                };
        AcmeConfig config = Settings.config(parent, "start-delay=0");
        Renewal real =
                new Renewal("test", config, folder, stalled, Timer.ofThread("acme-test"), clock);
        renewal = real;
        real.start();
        ordering.await();

        real.close();
        interrupted.await();
        assertEquals(0, real.progress().failed());
    }

    @Test
    void renewalTimeIsTheEarlierOfBoth() throws Exception {
        RenewalTime time = new RenewalTime(Duration.ofDays(30));

        for (int days : List.of(90, 100, 365)) {
            CertifiedKey pair = TestCertificates.pair(NOW, Duration.ofDays(days), "a.test");
            assertEquals(NOW.plus(Duration.ofDays(days - 30L)), time.of(pair.certificate()));
        }
        CertifiedKey pair = TestCertificates.pair(NOW, Duration.ofDays(45), "a.test");
        assertEquals(NOW.plus(Duration.ofDays(30)), time.of(pair.certificate()));
    }
}
