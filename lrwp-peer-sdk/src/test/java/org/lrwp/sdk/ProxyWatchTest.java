package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;

final class ProxyWatchTest {
    @Test
    void everyAddressIsATargetAndLoopbackIsOne() throws Exception {
        InetAddress far = InetAddress.ofLiteral("192.0.2.1");
        InetAddress farther = InetAddress.ofLiteral("2001:db8::1");
        InetAddress four = InetAddress.ofLiteral("127.0.0.1");
        InetAddress six = InetAddress.ofLiteral("::1");

        assertEquals(
                Map.of(
                        "192.0.2.1", List.of(far),
                        "2001:db8:0:0:0:0:0:1", List.of(farther),
                        "loopback", List.of(six, four)),
                ProxyWatch.targets(List.of(far, six, farther, four, far, six)));
    }
}
