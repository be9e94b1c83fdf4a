package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

final class EndpointTest {

    @Test
    void takenPortIsNamedWithTheOptionThatMovesIt() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint endpoint = http("127.0.0.1", other.getLocalPort());

            String sentence = assertThrows(StartFault.class, endpoint::requireFree).sentence();

            assertEquals(
                    "the HTTP port 127.0.0.1:"
                            + other.getLocalPort()
                            + " is taken by another program: stop it or choose another with"
                            + " --http-port",
                    sentence);
        }
    }

    @Test
    void freePortIsAcceptedAndStaysFree() throws IOException, StartFault {
        int port = Ports.free();

        http("127.0.0.1", port).requireFree();
        http("127.0.0.1", port).requireFree();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65_536})
    void portOutOfRangeIsRefused(int port) {
        String sentence =
                assertThrows(StartFault.class, http("127.0.0.1", port)::requireFree).sentence();

        assertTrue(sentence.contains("port " + port + " is not between 1 and 65535"), sentence);
    }

    @Test
    void addressOfAnotherMachineIsRefused() throws IOException {
        Endpoint foreign = http("192.0.2.1", Ports.free());

        String sentence = assertThrows(StartFault.class, foreign::requireFree).sentence();

        assertTrue(
                sentence.contains("192.0.2.1") && sentence.contains("cannot be opened"), sentence);
    }

    @Test
    void unknownNameIsRefused() {
        Endpoint unknown = http("no such name", 1080);

        String sentence = assertThrows(StartFault.class, unknown::requireFree).sentence();

        assertEquals("the HTTP address no such name is unknown", sentence);
    }

    @Test
    void addressWithColonsStandsInBrackets() {
        assertEquals("[::1]:1080", http("::1", 1080).authority());
        assertEquals("[::1]:1080", http("[::1]", 1080).authority());
        assertEquals("127.0.0.1:1080", http("127.0.0.1", 1080).authority());
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "127.0.0.1, localhost",
        "0.0.0.0, 127.0.0.1",
        "::1, ::",
        "no such name, no such name"
    })
    void onePortOfAnAddressIsOfOnePurpose(String address, String other) {
        var lrwp = new Endpoint("LRWP", "--lrwp-port", other, 1080);

        String sentence =
                assertThrows(StartFault.class, () -> http(address, 1080).requireOther(lrwp))
                        .sentence();

        assertEquals(
                "the HTTP port and the LRWP port are both 1080: choose another with --http-port or"
                        + " --lrwp-port",
                sentence);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.2, 1080", "127.0.0.1, ::1, 1080", "127.0.0.1, 127.0.0.1, 0"})
    void onePortOfTwoAddressesIsTwoPorts(String address, String other, int port) throws StartFault {
        http(address, port).requireOther(new Endpoint("LRWP", "--lrwp-port", other, port));
    }

    private static Endpoint http(String address, int port) {
        return new Endpoint("HTTP", "--http-port", address, port);
    }
}
