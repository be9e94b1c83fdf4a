package org.lrwp.protocol.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.util.List;

class NetworkTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,    10.255.1.2,   true",
        "10.0.0.0/8,    11.0.0.0,     false",
        "10.1.2.3/8,    10.9.9.9,     true",
        "192.0.2.7,     192.0.2.7,    true",
        "192.0.2.7,     192.0.2.8,    false",
        "192.0.2.0/25,  192.0.2.127,  true",
        "192.0.2.0/25,  192.0.2.128,  false",
        "192.0.2.4/31,  192.0.2.5,    true",
        "192.0.2.4/31,  192.0.2.6,    false",
        "0.0.0.0/0,     203.0.113.9,  true",
        "0.0.0.0/0,     ::1,          false",
        "::/0,          fd00::1,      true",
        "::/0,          127.0.0.1,    false",
        "fd00::/8,      fdff::1,      true",
        "fd00::/8,      fe00::1,      false",
        "fd00::/9,      fd80::1,      false",
        "::1,           ::1,          true",
        "::1,           ::2,          false",
    })
    void aNetworkContainsTheAddressesWithItsLeadingBits(
            String network, String address, boolean expected) {
        assertEquals(expected, Network.parse(network).contains(InetAddress.ofLiteral(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "example.test/8",
                "10.0.0/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/x",
                "10.0.0.0/",
                "::1/129",
                "256.0.0.1",
                "1:2",
                "/8",
                "xyz:1"
            })
    void whatIsNotAnAddressOrNetworkIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Network.parse(text));
    }

    @Test
    void loopbackIsBothFamilies() {
        assertTrue(Network.anyContains(Network.LOOPBACK, InetAddress.ofLiteral("127.9.9.9")));
        assertTrue(Network.anyContains(Network.LOOPBACK, InetAddress.ofLiteral("::1")));
        assertFalse(Network.anyContains(Network.LOOPBACK, InetAddress.ofLiteral("10.0.0.1")));
        assertFalse(Network.anyContains(List.of(), InetAddress.ofLiteral("127.0.0.1")));
    }

    @Test
    void aNetworkIsWrittenAsItIsRead() {
        assertEquals("10.0.0.0/8", Network.parse("10.0.0.0/8").toString());
        assertEquals(Network.parse("192.0.2.7/32"), Network.parse("192.0.2.7"));
    }
}
