package org.lrwp.webapp.glassfish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.catalina.Container;
import org.apache.catalina.Pipeline;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.HttpResponsePacket;
import org.glassfish.grizzly.http.ProcessingState;
import org.glassfish.grizzly.http.io.OutputBuffer;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.glassfish.grizzly.nio.NIOConnection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.servlet.ClientAnswer;
import org.lrwp.webapp.servlet.ClientLink;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

class StraightLinkTest {
    private static final byte[] BODY = "hello".getBytes(StandardCharsets.US_ASCII);

    private final NIOConnection connection = mock(NIOConnection.class);
    private final HttpRequestPacket asked = mock(HttpRequestPacket.class);
    private final HttpResponsePacket packet = mock(HttpResponsePacket.class);
    private final OutputBuffer output = new OutputBuffer();
    private final DirectWriter out = mock(DirectWriter.class);
    private final MimeHeaders fields = new MimeHeaders();
    private final ProcessingState state = new ProcessingState();
    private final StringBuilder sent = new StringBuilder();
    private RequestHead head;

    @BeforeEach
    void setUp() throws Exception {
        var ends = new ClientConnection(InetAddress.getLoopbackAddress(), 1, "127.0.0.1", 2, false);
        var draft = new RequestHead.Draft("GET", "/osp", "HTTP/1.1", ends);
        draft.field("Host", "localhost");
        head = draft.check();
        state.setKeepAlive(true);
        when(connection.getAttributes())
                .thenReturn(Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createSafeAttributeHolder());
        when(packet.getRequest()).thenReturn(asked);
        when(packet.getHeaders()).thenReturn(fields);
        when(packet.getProcessingState()).thenReturn(state);
        when(asked.getProtocolString()).thenReturn("HTTP/1.1");
        when(out.text()).thenAnswer(call -> new HeadText());
        when(out.room(anyInt())).thenAnswer(call -> ByteBuffer.allocate(call.getArgument(0)));
        doAnswer(
                        call -> {
                            ByteBuffer octets = call.getArgument(0);
                            sent.append(StandardCharsets.ISO_8859_1.decode(octets));
                            return null;
                        })
                .when(out)
                .write(any());
    }

    private GrizzlyLink link(boolean wrapped) {
        return new GrizzlyLink(connection, packet, output, null, wrapped, out);
    }

    private static void answer(ClientLink link) throws IOException {
        ClientAnswer answer = Objects.requireNonNull(link.answer());
        answer.status(200);
        answer.contentLength(BODY.length);
        answer.body().write(BODY);
        answer.complete();
    }

    @Test
    void anAnswerGoesToTheSocketAndTheContainerBelievesThatItWroteIt() throws Exception {
        fields.addValue("Server").setString("GlassFish");
        fields.addValue("X-Powered-By").setString("Servlet");

        ClientLink link = link(false).straight(head);
        link.prepareAnswer("Fine");
        link.addOctets("X", "\u00e4");
        link.setDate("now");
        verify(packet, never()).setCommitted(true);
        assertFalse(output.isClosed());
        answer(link);

        assertEquals(
                "HTTP/1.1 200 Fine\r\nX: \u00e4\r\nDate: now\r\nContent-Length: 5\r\n\r\nhello",
                sent.toString());
        verify(packet).setCommitted(true);
        verify(packet).setExpectContent(false);
        assertTrue(output.isClosed());
        assertTrue(state.isKeepAlive());
    }

    @Test
    void theContainerClosesAConnectionAfterItsLastAnswer() throws Exception {
        ClientLink link = link(false).straight(head);
        link.end();
        answer(link);

        assertTrue(sent.toString().contains("\r\nConnection: close\r\n"), sent.toString());
        assertFalse(state.isKeepAlive());
    }

    @Test
    void whatSomebodyElseMaySeeOrHasBegunIsWrittenByTheContainer() {
        assertStays(link(true));
        assertStays(new GrizzlyLink(connection, packet, output, null, false, null));
        when(packet.isCommitted()).thenReturn(true);
        assertStays(link(false));
        when(packet.isCommitted()).thenReturn(false);
        state.setKeepAlive(false);
        assertStays(link(false));
        state.setKeepAlive(true);
        assertNotSame(GrizzlyLink.class, link(false).straight(head).getClass());
        fields.addValue("Set-Cookie").setString("a=b");
        assertStays(link(false));
    }

    @Test
    void streamsOfHttp2AreTheContainers() {
        when(asked.getProtocolString()).thenReturn("HTTP/2.0");

        assertStays(link(false));
    }

    private void assertStays(GrizzlyLink link) {
        assertSame(link, link.straight(head));
    }

    @Test
    void anAccessLogOfTheVirtualServerIsAnObserver() {
        var host = mock(Container.class);
        var pipeline = mock(Pipeline.class);
        when(host.getPipeline()).thenReturn(pipeline);

        assertFalse(OwnContext.isObserved(host));
        when(pipeline.hasNonBasicValves()).thenReturn(true);
        assertTrue(OwnContext.isObserved(host));
    }
}
