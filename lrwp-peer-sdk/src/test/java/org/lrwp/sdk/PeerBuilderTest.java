package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.UpgradeNames;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

final class PeerBuilderTest {
    private final PeerBuilder builder = LrwpPeer.builder();

    @Test
    void peerNeedsAHandlerAndAContext() {
        assertThrows(IllegalStateException.class, builder::connect);
        builder.handler(PeerFixture::echo);
        assertThrows(IllegalStateException.class, builder::connect);
    }

    @Test
    void valuesOutOfRangeAreRejected() {
        assertThrows(IllegalArgumentException.class, () -> builder.proxy("x:y"));
        assertThrows(IllegalArgumentException.class, () -> builder.context(" "));
        assertThrows(IllegalArgumentException.class, () -> builder.concurrency(0));
        assertThrows(IllegalArgumentException.class, () -> builder.concurrency(65_537));
        assertThrows(IllegalArgumentException.class, () -> builder.secret(""));
        assertThrows(IllegalArgumentException.class, () -> builder.maxEnvironment(0));
        assertThrows(IllegalArgumentException.class, () -> builder.maxBody(-1));
        assertThrows(IllegalArgumentException.class, () -> builder.maxBody(1_000_000_000));
        assertThrows(IllegalArgumentException.class, () -> builder.drainSeconds(0));
        assertThrows(IllegalArgumentException.class, () -> builder.drainSeconds(86_401));
        assertThrows(IllegalArgumentException.class, () -> builder.drainSeconds(Double.NaN));
    }

    @Test
    void contextThatIsTooLongIsRejectedBeforeAnythingIsDialled() {
        builder.handler(PeerFixture::echo).context("/" + "x".repeat(201));

        assertThrows(IllegalArgumentException.class, builder::connect);
    }

    @Test
    void namesGoOutAsUtf8AndTheRootContextHasOne() {
        PeerConfig config = config("/\u00fcber");

        assertEquals(
                "\u00c3\u00bcber",
                config.registration(ProtocolVersion.LRWP_1, "/\u00fcber").application());
        assertEquals(
                "\u00c3\u00bcber",
                config.registration(ProtocolVersion.LRWP_3, "/\u00fcber").application());
        assertEquals("/", config.registration(ProtocolVersion.LRWP_3, "/").application());
        assertEquals("", config.registration(ProtocolVersion.LRWP_2, "/").application());
        assertEquals(".ext", config.contextName(".ext").application());
    }

    @Test
    void secretIsNotPrinted() {
        assertFalse(config("/a").toString().contains("geheim"));
        assertFalse(config("/a").toString().contains("103, 101"));
    }

    @Test
    void whatCannotBeSentOrHeldIsRefused() {
        PeerBuilder builder = LrwpPeer.builder();

        assertThrows(IllegalArgumentException.class, () -> builder.name("a\nb"));
        assertThrows(IllegalArgumentException.class, () -> builder.name("x".repeat(201)));
        assertThrows(IllegalArgumentException.class, () -> builder.window(0));
        assertThrows(IllegalArgumentException.class, () -> builder.window(1_000_000_001));
        assertThrows(
                IllegalArgumentException.class,
                () -> builder.versions(ProtocolVersion.LRWP_2, ProtocolVersion.LRWP_1));
    }

    private static PeerConfig config(String context) {
        return new PeerConfig(
                List.of(),
                new AtomicReference<>(new Demand(List.of(context), 1)),
                new Places(1),
                "",
                new Secret("geheim".getBytes(StandardCharsets.UTF_8)),
                null,
                new PeerHandler.Blocking(PeerFixture::echo),
                null,
                event -> {},
                new PeerConfig.Wire(
                        ProtocolVersion.LRWP_1,
                        ProtocolVersion.LRWP_3,
                        "test",
                        1,
                        true,
                        false,
                        UpgradeNames.NONE,
                        "i",
                        null),
                new PeerConfig.Limits(1, 1),
                PeerTimes.defaults(),
                Duration.ofSeconds(30),
                new PeerConfig.Surroundings(System::nanoTime, () -> 0, host -> List.of()));
    }

    @Test
    void timesAreChecked() {
        PeerTimes times = PeerTimes.defaults();
        Duration second = Duration.ofSeconds(1);

        assertThrows(IllegalArgumentException.class, () -> times.withLookup(Duration.ofDays(2)));
        assertThrows(
                IllegalArgumentException.class,
                () -> times.withRetry(second, Duration.ofMillis(999)));
        assertEquals(second, times.withWaits(second, second, second).stall());
        // As in the libraries of the other languages.
        assertEquals(Duration.ofSeconds(30), times.lookup());
    }
}
