package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.testkit.wire.LogLines;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Connections that begin with a PROXY header. */
class EdgeProxyProtocolTest extends EdgeListener {
    private static final String LINE = "PROXY TCP4 192.0.2.7 10.0.0.1 4711 80\r\n";
    private static final String BINARY = "\r\n\r\n\0\r\nQUIT\n";
    private static final String LOCAL = BINARY + "\40\0\0\0";

    /** With a value behind the addresses, of type 4 and without bytes. */
    private static final String V2 =
            BINARY + "\41\21\0\17" + "\300\0\2\7" + "\n\0\0\1" + "\22g" + "\0P" + "\4\0\0";

    @Override
    Map<String, String> settings() {
        return Map.of(
                "lrwp.client.proxy-protocol", "on",
                "lrwp.request.trusted-proxies", "127.0.0.1, 10.0.0.0/8",
                "lrwp.client.head-timeout", "1s",
                "lrwp.client.max-connections-per-address", "3");
    }

    /** Somebody else's round trip, with a header of the proxy itself. */
    @Override
    void pause() throws IOException {
        try (Socket other = client()) {
            send(other, LOCAL + GET);
            upTo(other, "hello");
        }
    }

    private static void requireOf(ServingPeer peer, String address, int port) throws Exception {
        String seen = peer.take();
        String wanted = "\nREMOTE_ADDR=" + address + "\nREMOTE_PORT=" + port + "\n";
        assertTrue(seen.contains(wanted), seen);
    }

    @ParameterizedTest
    @ValueSource(strings = {LINE, V2})
    void allRequestsOfTheConnectionAreTheNamedClients(String header) throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, header + GET);
            upTo(client, "hello");
            requireOf(peer, "192.0.2.7", 4711);
            assertEquals("192.0.2.7", log.take().client());

            send(client, GET);
            upTo(client, "hello");
            String seen = peer.take();
            assertTrue(seen.contains("\nREMOTE_ADDR=192.0.2.7\n"), seen);
            assertTrue(seen.contains("\nLRWP_FORWARDED=1\n"), seen);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LINE, V2})
    void aHeaderMayComeInPieces(String header) throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        for (int cut : new int[] {1, 7, 15, header.length() - 1, header.length()}) {
            try (Socket client = client()) {
                send(client, header.substring(0, cut));
                pause();
                peer.take();
                send(client, header.substring(cut) + GET + GET);
                upTo(client, "hello");
                upTo(client, "hello");
                requireOf(peer, "192.0.2.7", 4711);
                requireOf(peer, "192.0.2.7", 4711);
            }
        }
    }

    @Test
    void theProxysOwnConnectionsAndUnknownClientsHaveItsAddress() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        try (Socket client = client()) {
            send(client, LOCAL + GET);
            upTo(client, "hello");
            String own = peer.take();
            assertTrue(own.contains("\nREMOTE_ADDR=127.0.0.1\n"), own);
            assertFalse(own.contains("LRWP_FORWARDED"), own);
        }
        try (Socket client = client()) {
            send(client, "PROXY UNKNOWN\r\n" + GET);
            upTo(client, "hello");
            String unknown = peer.take();
            assertTrue(unknown.contains("\nREMOTE_ADDR=127.0.0.1\n"), unknown);
            assertTrue(unknown.contains("\nLRWP_FORWARDED=1\n"), unknown);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROXY UNKNOWN\r\n", BINARY + "\41\0\0\0"})
    void nobodyBelievesAClientThatItsProxyDoesNotKnow(String header) throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        String fields = "\r\nX-Forwarded-For: 192.0.2.9\r\nX-Forwarded-Proto: https\r\n\r\n";
        try (Socket client = client()) {
            send(client, header + GET.replace("\r\n\r\n", fields));
            upTo(client, "hello");
            String seen = peer.take();
            assertTrue(seen.contains("\nREMOTE_ADDR=127.0.0.1\n"), seen);
            assertFalse(seen.contains("HTTPS=on") || seen.contains("X_FORWARDED"), seen);
        }
    }

    @Test
    void connectionsAreCountedByTheClientThatIsNamed() throws Exception {
        answer("X-A: 1", "hello");
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                open.add(client());
                send(open.getLast(), LINE + GET);
                upTo(open.getLast(), "hello");
            }
            open.add(client());
            send(open.getLast(), LINE + GET);
            assertTrue(isClosed(open.getLast()));
            open.add(client());
            send(open.getLast(), LINE.replace("192.0.2.7", "192.0.2.8") + GET);
            upTo(open.getLast(), "hello");
        } finally {
            for (Socket one : open) {
                one.close();
            }
        }
    }

    @Test
    void forwardingFieldsAreBelievedIfTheNamedClientIsATrustedProxy() throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        String get = GET.replace("\r\n\r\n", "\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n");
        try (Socket client = client()) {
            send(client, LINE + get);
            upTo(client, "hello");
            requireOf(peer, "192.0.2.7", 4711);
        }
        try (Socket client = client()) {
            send(client, LINE.replace("192.0.2.7", "10.0.0.9") + get);
            upTo(client, "hello");
            requireOf(peer, "198.51.100.1", 0);
        }
    }

    @Test
    void theContainerGetsTheRequestWithoutTheHeader() throws Exception {
        try (Socket client = client()) {
            send(client, LINE + "GET /file HTTP/1.1\r\nHost: a\r\n\r\n");
            upTo(client, "container /file 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {GET, "PROXY nonsense\r\n", "\r\n\r\nx", "PROXY TCP4 1.2.3.4"})
    void whatDoesNotBeginWithAHeaderIsClosedWithoutAnAnswer(String bytes) throws Exception {
        ServingPeer peer = answer("X-A: 1", "hello");
        try (Socket client = client()) {
            // The last one is closed when the time of its rest is over.
            send(client, bytes);

            assertEquals("", rest(client));
            assertTrue(peer.seen().isEmpty());
        }
    }

    @Test
    void aHeaderFromElsewhereIsClosedAtOnce() throws Exception {
        try (Socket client = new Socket()) {
            client.setSoTimeout(10_000);
            client.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.3"), 0));
            try (Socket probe = client()) {
                client.connect(probe.getRemoteSocketAddress());
            }
            send(client, LINE + GET);

            assertEquals("", rest(client));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PROXY TCP4 1.2.3.4"})
    void aHeaderThatDoesNotComeInTimeIsTold(String begun) throws Exception {
        try (var told = new LogLines(Edge.class);
                Socket client = client()) {
            send(client, begun);

            assertEquals("", rest(client));
            String line = told.take();
            assertEquals(
                    "proxy-header-refused client=127.0.0.1 reason=\"no header in time\"", line);
        }
    }

    @Test
    void aClientThatLeavesWithoutAHeaderIsNotTold() throws Exception {
        try (var told = new LogLines(Edge.class)) {
            client().close();
            try (Socket client = client()) {
                send(client, "PROXY nonsense\r\n");
                assertEquals("", rest(client));
            }
            assertTrue(told.take().contains("line of another form"), "the only one");
            assertEquals(List.of(), told.drain());
        }
    }

    @Test
    void aFloodOfRefusalsHasFewLines() throws Exception {
        edge.limitRefusalLines(1);
        int flood = 100;
        try (var told = new LogLines(Edge.class)) {
            for (int i = 0; i < flood; i++) {
                try (Socket client = client()) {
                    send(client, GET);
                    assertEquals("", rest(client));
                }
            }
            // Ten at once, then one a second.
            List<String> lines = told.drain();
            assertTrue(lines.size() < flood / 2, lines::toString);
        }
    }
}
