package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

class HalfAnswerTest {
    @Test
    void clientGetsABeginningAndIsSeenToGiveUp() throws Exception {
        try (HalfAnswer server = HalfAnswer.start()) {
            int port = server.url("/").getPort();
            try (var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream()
                        .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                StringBuilder answer = new StringBuilder();
                while (answer.indexOf("\r\n\r\nbeginning") < 0) {
                    answer.append((char) client.getInputStream().read());
                }
                assertTrue(answer.indexOf("HTTP/1.1 200 ") == 0, answer.toString());
            }

            assertTrue(server.awaitGivenUp());
        }
    }
}
