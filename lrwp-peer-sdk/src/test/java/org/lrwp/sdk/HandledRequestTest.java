package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;

final class HandledRequestTest {
    private static PeerRequest aRequest(Map<String, String> environment) throws Exception {
        try (ScriptedProxy proxy = ScriptedProxy.start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            return new HandledRequest(
                    new EnvironmentHead(environment, 0),
                    new BodyInputStream(new FrameInput(new TcpSocket(socket)), 0),
                    () -> false);
        }
    }

    @Test
    void variablesThatAreMissingHaveHarmlessValues() throws Exception {
        PeerRequest request = aRequest(Map.of());

        assertEquals("GET", request.method());
        assertEquals("", request.pathInfo());
        assertEquals("", request.query());
        assertNull(request.header("Host"));
        assertNull(request.header("Content-Type"));
        assertEquals(-1, request.body().read());
        assertEquals(0, request.body().read(new byte[1], 0, 0));
    }

    @Test
    void contentHeadersAreFoundUnderTheirCgiNames() throws Exception {
        PeerRequest request =
                aRequest(Map.of("CONTENT_TYPE", "a/b", "CONTENT_LENGTH", "", "HTTP_X_Y", "z"));

        assertEquals("a/b", request.header("content-type"));
        assertNull(request.header("Content-Length"));
        assertEquals("z", request.header("X-Y"));
    }
}
