package org.lrwp.engine.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;

class PeerAddressTest {
    private static PeerAddress tcp(String address) {
        return PeerAddress.of(new InetSocketAddress(InetAddress.ofLiteral(address), 7));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.1, 10.0.0.2, false",
        "2001:db8:0:1::1, 2001:db8:0:1:ffff::2, true",
        "2001:db8:0:1::1, 2001:db8:0:2::1, false",
        "::1, ::2, false",
    })
    void anIpv6NetworkIsOneSource(String one, String other, boolean same) {
        assertEquals(same, tcp(one).source().equals(tcp(other).source()));
    }

    @Test
    void connectionsOfAUserAreOneSourceAndHaveNamesOfTheirOwn() {
        var first = new PeerAddress.Unix("billing", 1);
        var second = new PeerAddress.Unix("billing", 2);
        assertEquals("unix:billing", first.source());
        assertEquals(first.source(), second.source());
        assertEquals("unix:billing/1", first.text());
        assertEquals("unix:billing/2", second.text());
        assertEquals("127.0.0.1", first.address().getHostAddress());
    }

    @Test
    void theNameOfAUserBreaksNoLineOfTheLog() {
        assertEquals("unix:a?b??c?", new PeerAddress.Unix("a b\n\"c/", 1).source());
    }
}
