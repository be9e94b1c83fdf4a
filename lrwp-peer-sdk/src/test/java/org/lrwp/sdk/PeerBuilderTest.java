package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.time.Duration;

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
        assertThrows(IllegalArgumentException.class, () -> builder.concurrency(10_001));
        assertThrows(IllegalArgumentException.class, () -> builder.secret(""));
        assertThrows(IllegalArgumentException.class, () -> builder.environmentLimit(0));
        assertThrows(IllegalArgumentException.class, () -> builder.bodyLimit(-1));
        assertThrows(IllegalArgumentException.class, () -> builder.bodyLimit(1_000_000_000));
    }

    @Test
    void contextThatIsTooLongIsRejectedBeforeAnythingIsDialled() {
        builder.handler(PeerFixture::echo).context("/" + "x".repeat(201));

        assertThrows(IllegalArgumentException.class, builder::connect);
    }

    @Test
    void namesGoOutAsUtf8() {
        PeerSettings settings = settings("/\u00fcber");

        assertEquals("\u00c3\u00bcber", settings.registration("/\u00fcber").application());
    }

    @Test
    void secretIsNotPrinted() {
        assertFalse(settings("/a").toString().contains("geheim"));
        assertFalse(settings("/a").toString().contains("103, 101"));
    }

    private static PeerSettings settings(String context) {
        return new PeerSettings(
                java.util.List.of(),
                java.util.List.of(context),
                "",
                1,
                new Secret("geheim".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                PeerFixture::echo,
                event -> {},
                new PeerSettings.Limits(1, 1),
                PeerTimes.defaults(),
                new PeerSettings.Surroundings(
                        System::nanoTime, () -> 0, host -> java.util.List.of()));
    }

    @Test
    void timesAreChecked() {
        PeerTimes times = PeerTimes.defaults();
        Duration second = Duration.ofSeconds(1);

        assertThrows(IllegalArgumentException.class, () -> times.withDrain(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> times.withLookup(Duration.ofDays(2)));
        assertThrows(
                IllegalArgumentException.class,
                () -> times.withRetry(second, Duration.ofMillis(999)));
        assertEquals(second, times.withWaits(second, second, second).stall());
    }
}
