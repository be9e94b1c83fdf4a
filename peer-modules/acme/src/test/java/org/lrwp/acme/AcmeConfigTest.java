package org.lrwp.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class AcmeConfigTest {
    @TempDir private Path folder;

    @Test
    void namesAreInLowerCaseAndEachOnce() throws Exception {
        AcmeConfig config =
                Settings.config(folder, "names=WWW.Example.org, example.org,www.example.org");

        assertEquals(List.of("www.example.org", "example.org"), config.names());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*.example.org",
                "localhost",
                "10.0.0.1",
                "::1",
                "../../etc/passwd",
                "a..org",
                "-a.org",
                "a-.org",
                "a_b.org",
                "b\u00fccher.example",
                "a.org.",
                "a.org/b"
            })
    void whatIsNoDnsNameIsRefused(String name) {
        var e =
                assertThrows(
                        BadConfigurationException.class,
                        () -> Settings.config(folder, "names=" + name));

        assertTrue(String.valueOf(e.getMessage()).contains("names = "), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains("DNS names"), e.getMessage());
    }

    @Test
    void namesHaveTheLengthsOfDnsAndFitIntoNamesOfFiles() {
        assertTrue(AcmeValueTypes.NAMES.allows("a".repeat(63) + ".org"));
        assertFalse(AcmeValueTypes.NAMES.allows("a".repeat(64) + ".org"));
        String long247 = "a".repeat(58) + ("." + "a".repeat(62)).repeat(3);
        assertTrue(AcmeValueTypes.NAMES.allows(long247));
        assertFalse(AcmeValueTypes.NAMES.allows("a" + long247));
    }

    @Test
    void aHundredNamesAreAllowedAndOneMoreIsNot() {
        assertTrue(AcmeValueTypes.NAMES.allows(many(100)));
        assertFalse(AcmeValueTypes.NAMES.allows(many(101)));
    }

    private static String many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "n" + i + ".example.org")
                .collect(Collectors.joining(","));
    }

    @Test
    void directoryIsReachedByTlsUnlessItIsOnThisMachine() {
        assertTrue(AcmeValueTypes.DIRECTORY.allows("https://ca.example/dir"));
        assertTrue(AcmeValueTypes.DIRECTORY.allows("http://127.0.0.1:14000/dir"));
        assertTrue(AcmeValueTypes.DIRECTORY.allows("http://[::1]:14000/dir"));
        for (String bad :
                List.of(
                        "http://ca.example/dir",
                        "ca.example",
                        "https://me@ca.example/",
                        "file:/x")) {
            assertFalse(AcmeValueTypes.DIRECTORY.allows(bad), bad);
        }
    }

    @Test
    void contactsAreAddresses() throws Exception {
        assertEquals(
                List.of("a@b.example", "c@d.example"),
                Settings.config(folder, "contact=a@b.example, c@d.example").contacts());
        assertFalse(AcmeValueTypes.EMAILS.allows("somebody"));
        assertFalse(AcmeValueTypes.EMAILS.allows("a@b?subject=x"));
    }

    @Test
    void longestDelayBelowTheFirstIsRefusedAndBothAreNamed() {
        var e =
                assertThrows(
                        BadConfigurationException.class,
                        () ->
                                Settings.setup(folder, "retry-delay=2m", "retry-longest=1m")
                                        .configuration()
                                        .bind(AcmeConfig::from));

        assertEquals("retry-longest = 60s is shorter than retry-delay = 120s", e.getMessage());
    }

    @Test
    void delaysDoubleUpToTheLongest() {
        Backoff backoff = new Backoff(Duration.ofMinutes(5), Duration.ofHours(6));

        assertEquals(Duration.ofMinutes(5), backoff.after(1, Duration.ZERO));
        assertEquals(Duration.ofMinutes(10), backoff.after(2, Duration.ZERO));
        assertEquals(Duration.ofMinutes(320), backoff.after(7, Duration.ZERO));
        assertEquals(Duration.ofHours(6), backoff.after(8, Duration.ZERO));
        assertEquals(Duration.ofHours(6), backoff.after(Integer.MAX_VALUE, Duration.ZERO));
    }

    @Test
    void delayThatTheDirectoryAsksForCountsUpToTheLongest() {
        Backoff backoff = new Backoff(Duration.ofMinutes(5), Duration.ofHours(6));

        assertEquals(Duration.ofHours(1), backoff.after(1, Duration.ofHours(1)));
        assertEquals(Duration.ofHours(6), backoff.after(1, Duration.ofDays(30)));
        assertEquals(Duration.ofMinutes(5), backoff.after(1, Duration.ofMinutes(-3)));
    }

    @Test
    void textOfOthersFitsIntoOneLineOfTheLog() {
        assertEquals("a b 'c' d", OneLine.of("a\r\nb \"c\"\u2028d"));
        assertEquals(500, OneLine.of("x".repeat(10_000)).length());
        assertEquals("null", OneLine.of(null));
    }
}
