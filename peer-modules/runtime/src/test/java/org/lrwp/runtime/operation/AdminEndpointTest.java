package org.lrwp.runtime.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.module.Figure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The admin endpoint when its clients are hostile. */
class AdminEndpointTest {
    private final List<Socket> open = new ArrayList<>();
    private AdminEndpoint endpoint;

    private record Nothing(Configuration configuration) implements Operated {
        @Override
        public String name() {
            return "nothing";
        }

        @Override
        public String type() {
            return "nothing";
        }

        @Override
        public List<Figure> figures() {
            return List.of();
        }
    }

    @BeforeEach
    void start() throws Exception {
        start(Duration.ofMinutes(5));
    }

    private void start(Duration requestTime) throws Exception {
        Configuration none = Configuration.open(List.of(), Map.of(), null);
        endpoint =
                Objects.requireNonNull(
                        AdminEndpoint.open(new Nothing(none), new Admin(0, null), requestTime));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        endpoint.close();
    }

    private Socket send(String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
        open.add(socket);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private String statusOf(String fields) throws IOException {
        Socket socket =
                send("GET /-/api/v1/status HTTP/1.1\r\n" + fields + "Connection: close\r\n\r\n");
        String answer =
                new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return answer.substring(9, 12);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 200",
        "127.0.0.1:8080, 200",
        "127.1.2.3, 200",
        "LocalHost:1, 200",
        "[::1]:8080, 200",
        "127.0.0.1.rebound.example, 403",
        "127.rebound.example, 403",
        "localhost.rebound.example, 403",
        "192.0.2.1, 403",
        "'127.0.0.1, rebound.example', 403",
        "'', 403",
    })
    void onlyLoopbackAddressesAndLocalhostAreHosts(String host, String status) throws Exception {
        assertEquals(status, statusOf("Host: " + host + "\r\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost, 200",
        "http://page.example, 403",
        "http://localhost:3000, 403",
        "null, 403",
    })
    void pagesOfOtherHostsAreRefused(String origin, String status) throws Exception {
        assertEquals(status, statusOf("Host: localhost\r\nOrigin: " + origin + "\r\n"));
    }

    @Test
    void halvesOfRequestsHoldUpNobody() throws Exception {
        String path = "/-/api/v1/actions/x";
        for (int i = 0; i < 20; i++) {
            send("GET /-/api/v1/status HTTP/1.1\r\nHost: loc");
            send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhal");
        }
        assertEquals("200", statusOf("Host: localhost\r\n"));
    }

    @Test
    void aRequestThatIsNotWholeInTimeEndsItsConnection() throws Exception {
        endpoint.close();
        start(Duration.ofMillis(50));
        Socket half = send("GET /-/api/v1/status HTTP/1.1\r\nHost: loc");
        assertTrue(half.getInputStream().read() <= 0);
    }
}
