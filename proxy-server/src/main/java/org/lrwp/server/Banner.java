package org.lrwp.server;

import org.lrwp.webapp.Places;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the terminal is told of a server that is ready: where to ask, and where to dial in.
 *
 * @param version of the proxy
 * @param taken by the start
 * @param http where clients speak HTTP
 * @param places where else it listens
 */
record Banner(String version, Duration taken, Endpoint http, Places places) {
    private static final String BETWEEN = "\n" + " ".repeat(17);

    /** All of its lines, each with its end. */
    String text() {
        return """
        LRWP proxy %s is ready after %.1f s
          requests       %s
          status         http://%s/-/status
          programs dial  %s
          stop           Ctrl-C
        """
                .formatted(
                        version,
                        taken.toMillis() / 1000.0,
                        String.join(BETWEEN, forClients()),
                        http.authority(),
                        String.join(BETWEEN, forPeers()));
    }

    private List<String> forClients() {
        List<String> all = new ArrayList<>(List.of("http://%s/".formatted(http.authority())));
        InetSocketAddress https = places.https();
        if (https != null) {
            all.add("https://%s/".formatted(authority(https)));
        }
        return all;
    }

    private List<String> forPeers() {
        List<String> all = new ArrayList<>(List.of(authority(places.agent())));
        InetSocketAddress tls = places.tls();
        if (tls != null) {
            all.add(authority(tls) + " (TLS)");
        }
        Path socket = places.socket();
        if (socket != null) {
            all.add("unix:" + socket);
        }
        return all;
    }

    private static String authority(InetSocketAddress place) {
        return Endpoint.authority(place.getAddress().getHostAddress(), place.getPort());
    }
}
