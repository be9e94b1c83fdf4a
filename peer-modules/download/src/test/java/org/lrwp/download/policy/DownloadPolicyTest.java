package org.lrwp.download.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.download.testkit.Settings;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.testkit.Head;

import java.time.LocalTime;
import java.util.List;

class DownloadPolicyTest {
    private static final LocalTime NOON = LocalTime.NOON;
    private static final LocalTime NIGHT = LocalTime.of(23, 30);

    private static DownloadPolicy policy(String... settings) throws BadConfigurationException {
        return DownloadPolicy.of(Settings.of(settings).values());
    }

    private static String classOf(DownloadPolicy policy, Head head, LocalTime time) {
        return policy.place(head, time).trafficClass().name();
    }

    @Test
    void firstClassThatFitsCounts() throws BadConfigurationException {
        DownloadPolicy policy =
                policy(
                        "class.video.paths=/video/,/film/",
                        "class.video.rate=1MB",
                        "class.office.networks=10.0.0.0/8, 2001:db8::/32",
                        "class.office.order=1",
                        "class.gold.header=X-Plan: gold",
                        "class.gold.order=2",
                        "class.night.hours=22:00-06:00",
                        "class.night.order=3",
                        "class.any.header=X-Any: *",
                        "class.any.order=4");

        assertEquals("video", classOf(policy, Head.get("/film/a"), NOON));
        assertEquals("default", classOf(policy, Head.get("/a"), NOON));
        assertEquals("night", classOf(policy, Head.get("/film/a"), NIGHT));
        assertEquals("night", classOf(policy, Head.get("/a"), LocalTime.of(5, 59)));
        assertEquals("default", classOf(policy, Head.get("/a"), LocalTime.of(6, 0)));
        assertEquals("gold", classOf(policy, Head.get("/a").with("X-Plan", "gold"), NIGHT));
        assertEquals("default", classOf(policy, Head.get("/a").with("X-Plan", "tin"), NOON));
        assertEquals("any", classOf(policy, Head.get("/a").with("X-Any", "x"), NOON));
        Head office = Head.get("/a").with("X-Plan", "gold");
        assertEquals("office", classOf(policy, office.variable("REMOTE_ADDR", "10.1.2.3"), NIGHT));
        assertEquals(
                "office", classOf(policy, office.variable("REMOTE_ADDR", "2001:db8::1%1"), NIGHT));
        assertTrue(policy.openAt(NIGHT).contains("night"));
        assertFalse(policy.openAt(NOON).contains("night"));
        assertEquals(List.of("default"), policy().openAt(NOON));
    }

    @Test
    void limitsAreThoseOfTheClass() throws BadConfigurationException {
        DownloadPolicy policy =
                policy(
                        "request-rate=20KB",
                        "burst=1s",
                        "class.fast.paths=/fast/",
                        "class.fast.weight=3",
                        "class.fast.client-rate=1MiB");

        TrafficClass usual = policy.place(Head.get("/a"), NOON).trafficClass();
        TrafficClass fast = policy.place(Head.get("/fast/a"), NOON).trafficClass();

        assertEquals(20_000, usual.request().rate());
        assertEquals(1000, usual.request().burst().toMillis());
        assertEquals(1 << 20, fast.client().rate());
        assertFalse(fast.request().isLimited());
        assertEquals(3, fast.weight());
    }

    @Test
    void downloadIsLimitedWhenAnythingOnItsWayIs() throws BadConfigurationException {
        assertFalse(policy().place(Head.get("/a"), NOON).limited());
        assertTrue(policy("global-rate=1MB").place(Head.get("/a"), NOON).limited());
        assertTrue(policy("client-rate=1MB").place(Head.get("/a"), NOON).limited());
    }

    @Test
    void clientIsAddressOrUserOrHeader() throws BadConfigurationException {
        Head head = Head.get("/a").with("X-Key", "k1").variable("REMOTE_USER", "anna");

        assertEquals("127.0.0.1", policy().client(head));
        assertEquals("user anna", policy("client=user").client(head));
        assertEquals("header k1", policy("client=header:X-Key").client(head));
        assertEquals("127.0.0.1", policy("client=header:X-Other").client(head));
        assertEquals("127.0.0.1", policy("client=user").client(head.variable("REMOTE_USER", "-")));
    }

    @Test
    void networkOfIpv6IsOneClient() throws BadConfigurationException {
        Head one = Head.get("/a").variable("REMOTE_ADDR", "2001:db8::1");
        Head same = Head.get("/a").variable("REMOTE_ADDR", "2001:db8::ffff:1");
        Head other = Head.get("/a").variable("REMOTE_ADDR", "2001:db8:0:1::1");

        assertEquals(policy().client(one), policy().client(same));
        assertNotEquals(policy().client(one), policy().client(other));
        assertNotEquals(
                policy("client-ipv6-prefix=128").client(one),
                policy("client-ipv6-prefix=128").client(same));
    }

    @Test
    void bannedAreKnownByAddressAndUser() throws BadConfigurationException {
        DownloadPolicy.Ban ban = policy("ban.networks=127.0.0.0/8", "ban.users=eve").ban();

        assertTrue(ban.holds(Head.get("/a")));
        Head other = Head.get("/a").variable("REMOTE_ADDR", "198.51.100.1");
        assertFalse(ban.holds(other));
        assertTrue(ban.holds(other.variable("REMOTE_USER", "eve")));
        assertFalse(policy().ban().holds(Head.get("/a")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "request-rate=fast",
                "request-rate=0",
                "global-rate=200000MB",
                "burst=1ms",
                "class.a.hours=25:00-26:00",
                "class.a.hours=noon",
                "class.a.header=no colon",
                "class.default.rate=1KB",
                "client=header:",
                "client=cookie",
                "cache-control=a\u0001b",
            })
    void badValueIsRefusedWithItsKey(String setting) {
        BadConfigurationException refused =
                assertThrows(BadConfigurationException.class, () -> Settings.bound(setting));

        String key = setting.substring(0, setting.indexOf('='));
        String shown = String.valueOf(refused.getMessage());
        assertTrue(shown.contains(key) || shown.contains("class.default"), shown);
    }

    @ParameterizedTest
    @CsvSource({"OFF,''", "INLINE,inline", "ATTACHMENT,attachment"})
    void dispositionHasItsWord(Disposition disposition, String word) {
        assertEquals(word, disposition.word());
    }
}
