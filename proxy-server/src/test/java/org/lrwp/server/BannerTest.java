package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.webapp.Places;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

final class BannerTest {
    private static final Endpoint HTTP =
            new Endpoint("HTTP", "--http-port", "proxy.example.org", 1080);

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private static String text(Places places) {
        return new Banner("9.8.7", Duration.ofMillis(1234), HTTP, places).text();
    }

    @Test
    void allPlacesAreNamed() {
        var places =
                new Places(
                        at("192.0.2.1", 443),
                        at("127.0.0.1", 1081),
                        at("2001:db8::1", 1082),
                        Path.of("/run/lrwp/lrwp.sock"));

        assertEquals(
                """
                LRWP proxy 9.8.7 is ready after 1.2 s
                  requests       http://proxy.example.org:1080/
                                 https://192.0.2.1:443/
                  status         http://proxy.example.org:1080/-/status
                  programs dial  127.0.0.1:1081
                                 [2001:db8:0:0:0:0:0:1]:1082 (TLS)
                                 unix:/run/lrwp/lrwp.sock
                  stop           Ctrl-C
                """,
                text(places));
    }

    @Test
    void whatIsNotThereIsNotNamed() {
        var places = new Places(null, at("127.0.0.1", 1081), null, null);

        assertEquals(
                """
                LRWP proxy 9.8.7 is ready after 1.2 s
                  requests       http://proxy.example.org:1080/
                  status         http://proxy.example.org:1080/-/status
                  programs dial  127.0.0.1:1081
                  stop           Ctrl-C
                """,
                text(places));
    }
}
