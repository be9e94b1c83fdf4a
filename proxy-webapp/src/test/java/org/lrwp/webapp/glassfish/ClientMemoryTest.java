package org.lrwp.webapp.glassfish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.Method;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.glassfish.grizzly.nio.NIOConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

class ClientMemoryTest {
    private final NIOConnection connection = mock(NIOConnection.class);

    ClientMemoryTest() {
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

    private ClientMemory memory(boolean secure) {
        return Objects.requireNonNull(ClientMemory.of(connection, secure));
    }

    /** A request of so many octets of Grizzly's buffer, which starts anywhere. */
    private static HttpRequestPacket asked(int offset, String... lines) {
        byte[] buffer = new byte[offset + 1000];
        var fields = new MimeHeaders();
        int at = offset;
        for (String line : lines) {
            byte[] octets = line.getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(octets, 0, buffer, at, octets.length);
            int colon = at + line.indexOf(':');
            fields.addValue(buffer, at, colon - at).setBytes(buffer, colon + 1, at + octets.length);
            at += octets.length + 2;
        }
        return asked(fields);
    }

    private static HttpRequestPacket asked(MimeHeaders fields) {
        HttpRequestPacket asked = mock(HttpRequestPacket.class);
        when(asked.getMethod()).thenReturn(Method.GET);
        when(asked.getProtocolString()).thenReturn("HTTP/1.1");
        when(asked.getHeaders()).thenReturn(fields);
        return asked;
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void fieldsComeAsTheyWereSent() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        var fields = new MimeHeaders();
        fields.addValue("Host").setString("localhost");
        byte[] line = octets("X-Name: caf\u00e9, again");
        fields.addValue(line, 0, 6).setBytes(line, 8, line.length);

        RequestHead head = memory(false).head(asked(fields), "/");

        assertEquals(List.of("caf\u00e9, again"), head.values("x-name"));
        assertEquals("localhost", head.first("Host"));
        assertNotSame(head, memory(false).head(asked(fields), "/"), "not all octets were seen");
    }

    @Test
    void aHeadWithTheSameOctetsIsTheLastOneAgain() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        RequestHead first = memory(false).head(asked(10, "Host:a", "X-A:1", "X-B:"), "/x");

        assertSame(first, memory(false).head(asked(700, "Host:a", "X-A:1", "X-B:"), "/x"));
        assertEquals("", first.first("X-B"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/x|Host:a|X-A:2",
                "/y|Host:a|X-A:1",
                "/x|Host:a|X-A:11",
                "/x|Host:a|X-A:1|X-B:",
                "/x|Host:a",
                "/x|Host:a|x-A:1",
                "/x|X-A:1|Host:a"
            })
    void anotherHeadIsReadAgain(String other) throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        RequestHead first = memory(false).head(asked(10, "Host:a", "X-A:1"), "/x");

        String[] lines = other.split("\\|");
        RequestHead next =
                memory(false).head(asked(10, Arrays.copyOfRange(lines, 1, lines.length)), lines[0]);

        assertNotSame(first, next);
        assertEquals(lines[0], next.target().raw());
        assertEquals(
                List.of(lines).subList(1, lines.length),
                next.fields().stream().map(field -> field.name() + ":" + field.value()).toList());
    }

    @Test
    void anotherTargetWithTheSameFieldsIsCheckedAndKeepsThem() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        RequestHead first = memory(false).head(asked(10, "Host:a", "X-A:1"), "/x");

        RequestHead next = memory(false).head(asked(30, "Host:a", "X-A:1"), "/y/../z?q");

        assertEquals("/z", next.target().path());
        assertSame(first.fields(), next.fields());
        assertSame(next, memory(false).head(asked(50, "Host:a", "X-A:1"), "/y/../z?q"));
        assertThrows(
                BadRequestException.class,
                () -> memory(false).head(asked(10, "Host:a", "X-A:1"), "/%00"));
    }

    @Test
    void aTargetWithAHostIsReadWithItsFields() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        memory(false).head(asked(10, "Host:a", "X-A:1"), "/x");

        RequestHead named = memory(false).head(asked(10, "Host:a", "X-A:1"), "http://b:81/x");
        RequestHead next = memory(false).head(asked(10, "Host:a", "X-A:1"), "/y");

        assertEquals("b", named.authority().host());
        assertEquals("a", next.authority().host());
    }

    @Test
    void octetsThatAreCutInAnotherWayAreAnotherHead() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        byte[] line = octets("Host:a=b:c");
        var first = new MimeHeaders();
        first.addValue(line, 0, 4).setBytes(line, 5, 6);
        first.addValue(line, 7, 1).setBytes(line, 9, 10);
        var second = new MimeHeaders();
        second.addValue(line, 0, 4).setBytes(line, 5, 6);
        second.addValue(line, 7, 1).setBytes(line, 8, 10);

        assertEquals("c", memory(false).head(asked(first), "/").first("b"));
        assertEquals(":c", memory(false).head(asked(second), "/").first("b"));
    }

    @Test
    void aBrokenHeadIsRefusedEachTime() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        for (int i = 0; i < 3; i++) {
            HttpRequestPacket twoHosts = asked(10, "Host:a", "Host:b");
            assertThrows(BadRequestException.class, () -> memory(false).head(twoHosts, "/"));
        }
    }

    @Test
    void endsAreMadeOnceForAConnection() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        ClientConnection first = memory(false).ends();
        assertSame(first, memory(false).ends());
        assertEquals("127.0.0.2", first.remoteText());
    }

    @Test
    void whatAProxyInFrontSaysOfTlsGoesForItsRequestOnly() throws Exception {
        ends(address(2, 40_000), address(1, 1080));
        ClientConnection plain = memory(false).ends();
        ClientConnection secure = memory(true).ends();
        assertTrue(secure.secure() && !plain.secure());
    }

    @Test
    void aConnectionThatIsNotTcpHasNoEnds() {
        ends(mock(SocketAddress.class), mock(SocketAddress.class));
        assertNull(ClientMemory.of(connection, false));
    }
}
