package org.lrwp.webapp.glassfish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.glassfish.grizzly.nio.NIOConnection;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

class GrizzlyHeadTest {
    private final NIOConnection connection = mock(NIOConnection.class);

    GrizzlyHeadTest() {
        when(connection.getAttributes())
                .thenReturn(Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createSafeAttributeHolder());
    }

    private void ends(SocketAddress remote, SocketAddress local) {
        doReturn(remote).when(connection).getPeerAddress();
        doReturn(local).when(connection).getLocalAddress();
    }

    private static InetSocketAddress address(int last, int port) throws UnknownHostException {
        return new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), port);
    }

    @Test
    void fieldsComeAsTheyWereSent() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        var fields = new MimeHeaders();
        fields.addValue("Host").setString("localhost");
        byte[] line = "X-Name: caf\u00e9, again".getBytes(StandardCharsets.ISO_8859_1);
        fields.addValue(line, 0, 6).setBytes(line, 8, line.length);
        HttpRequestPacket asked = mock(HttpRequestPacket.class);
        when(asked.getHeaders()).thenReturn(fields);
        ClientConnection ends = Objects.requireNonNull(GrizzlyHead.ends(connection, false));

        var draft = new RequestHead.Draft("GET", "/", "HTTP/1.1", ends);
        GrizzlyHead.addFields(asked, draft);

        assertEquals(List.of("caf\u00e9, again"), draft.check().values("x-name"));
        assertEquals("localhost", draft.check().first("Host"));
    }

    @Test
    void endsAreMadeOnceForAConnection() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        ClientConnection first = GrizzlyHead.ends(connection, false);
        assertSame(first, GrizzlyHead.ends(connection, false));
        assertEquals("127.0.0.2", first == null ? "" : first.remoteText());
    }

    @Test
    void whatAProxyInFrontSaysOfTlsGoesForItsRequestOnly() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        ClientConnection plain = GrizzlyHead.ends(connection, false);
        ClientConnection secure = GrizzlyHead.ends(connection, true);
        assertTrue(secure != null && secure.secure() && plain != null && !plain.secure());
    }

    @Test
    void aConnectionThatIsNotTcpHasNoEnds() {
        ends(mock(SocketAddress.class), mock(SocketAddress.class));
        assertNull(GrizzlyHead.ends(connection, false));
    }
}
