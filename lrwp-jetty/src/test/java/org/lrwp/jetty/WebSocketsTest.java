package org.lrwp.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.testkit.wire.Frame;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Jetty's own WebSocket on a server that has dialled in to a proxy played by the test. */
@Timeout(60)
final class WebSocketsTest {
    /** A text frame of a client with the mask 0, its text {@code hi}. */
    private static final String HI = "\u0081\u0082\0\0\0\0hi";

    private static final String CLOSE = "\u0088\u0082\0\0\0\0\3\u00e8";
    private static final int LARGE = 200_000;

    private final ServerSocket listener = listen();
    private final Server server = new Server();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private PlayedProxy proxy;

    /** Says where its client is, and a text again; {@code large} gets many bytes. */
    public final class Echo extends Session.Listener.AbstractAutoDemanding {
        @Override
        public void onWebSocketText(String text) {
            if (text.equals("large")) {
                getSession().sendBinary(ByteBuffer.allocate(LARGE), Callback.NOOP);
            } else {
                String client = String.valueOf(getSession().getRemoteSocketAddress());
                getSession().sendText(text + client, Callback.NOOP);
            }
        }

        @Override
        public void onWebSocketClose(int code, String reason, Callback done) {
            closed.complete(code);
            done.succeed();
        }
    }

    private static ServerSocket listen() {
        try {
            return PlayedProxy.listen();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void serve() throws Exception {
        ContextHandler web = new ContextHandler("/app");
        web.setHandler(
                WebSocketUpgradeHandler.from(
                        server,
                        web,
                        container -> {
                            container.addMapping("/ws", (request, response, done) -> new Echo());
                            container.addMapping(
                                    "/large",
                                    (request, response, done) -> {
                                        response.getHeaders().put("X-Large", "a".repeat(70_000));
                                        return new Echo();
                                    });
                            container.addMapping(
                                    "/short",
                                    (request, response, done) -> {
                                        container.setIdleTimeout(Duration.ofMillis(200));
                                        return new Echo();
                                    });
                        }));
        server.setHandler(web);
        LrwpConnector.replace(
                server,
                LrwpPeer.builder()
                        .proxy("127.0.0.1:" + listener.getLocalPort())
                        .context("/app")
                        .concurrency(2)
                        .upgrades("websocket"));
        server.start();
        proxy = PlayedProxy.accept(listener, "app");
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        server.stop();
        listener.close();
    }

    /** Asks for WebSocket; the head of the answer. */
    private String ask(String path) throws IOException {
        Map<String, String> variables = PlayedProxy.variables("GET", "/app" + path);
        variables.put("HTTP_UPGRADE", "websocket");
        variables.put("HTTP_CONNECTION", "Upgrade");
        variables.put("HTTP_SEC_WEBSOCKET_VERSION", "13");
        variables.put("HTTP_SEC_WEBSOCKET_KEY", "dGhlIHNhbXBsZSBub25jZQ==");
        proxy.send(PlayedProxy.request(1, variables, ""));
        proxy.expect(Frame.STARTED, 1);
        return proxy.expect(Frame.RESPONSE, 1).text();
    }

    /** What comes through the tunnel, until there is so much of it. */
    private String received(int length) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            Frame frame = proxy.frame();
            if (frame.type() == Frame.DATA) {
                text.append(frame.text());
                proxy.window(1, frame.payload().length);
            } else if (frame.type() != Frame.WINDOW) {
                throw new AssertionError("not of a tunnel: " + frame);
            }
        }
        return text.toString();
    }

    /** Frames until the peer's direction has ended; what they brought. */
    private String rest() throws IOException {
        StringBuilder text = new StringBuilder();
        Frame frame = proxy.frame();
        while (!frame.isEnd()) {
            if (frame.type() == Frame.DATA) {
                text.append(frame.text());
            }
            frame = proxy.frame();
        }
        return text + frame.text();
    }

    @Test
    void headThatIsTooLongForAFrameIsNoTunnel() throws Exception {
        String answer = ask("/large");
        assertTrue(answer.contains("Status: 500"), answer);
        assertTrue(ask("/ws").contains("Status: 101"));
    }

    @Test
    void messagesGoBothWaysAndTheCloseIsSaidToBothSides() throws Exception {
        String head = ask("/ws");
        assertTrue(head.contains("Status: 101 "), head);
        assertTrue(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), head);

        String answer = "\u0081\u0011hi/192.0.2.7:4711";
        proxy.data(1, HI);
        assertEquals(answer, received(answer.length()));
        for (int i = 0; i < HI.length(); i++) {
            proxy.data(1, HI.substring(i, i + 1));
        }
        assertEquals(answer, received(answer.length()));

        proxy.data(1, CLOSE);
        assertEquals("\u0088\2\3\u00e8", rest());
        proxy.endData(1);
        assertEquals(1000, closed.get());
        proxy.requireAlive();
    }

    @Test
    void aMessageLargerThanTheWindowWaitsForIt() throws Exception {
        ask("/ws");
        proxy.data(1, "\u0081\u0085\0\0\0\0large");
        // Jetty makes frames of 64 KiB: three heads of 10 bytes, and one of 4.
        String frames = received(LARGE + 34);
        assertEquals(LARGE + 34, frames.length());
        assertEquals("\2\u007f\0\0\0\0\0\1\0\0", frames.substring(0, 10));
        proxy.data(1, HI);
        assertTrue(received(2).startsWith("\u0081"));
    }

    @Test
    void aClientThatHasGoneIsTold() throws Exception {
        ask("/ws");
        proxy.cancel(1, "gone");
        assertEquals(1006, closed.get());
        Frame last = proxy.frame();
        assertTrue(last.isEnd() || last.type() == Frame.CANCEL, last::toString);
        proxy.requireAlive();
    }

    @Test
    void anIdleTimeOutOfJettyClosesIt() throws Exception {
        ask("/short");
        String close = rest();
        assertTrue(close.startsWith("\u0088") && close.contains("\3\u00e9"), close);
        proxy.data(1, HI);
        proxy.endData(1);
        assertEquals(1001, closed.get());
        proxy.requireAlive();
    }

    @Test
    void whoDoesNotEndAfterTheCloseIsCut() throws Exception {
        ask("/ws");
        proxy.data(1, CLOSE);
        rest();
        assertEquals(Frame.CANCEL, proxy.frame().type());
        proxy.requireAlive();
    }

    @Test
    void whatIsNoWebSocketIsAnAnswerAsEver() throws Exception {
        String head = ask("/none");
        assertTrue(head.contains("Status: 404 "), head);
        assertFalse(head.contains("Upgrade"), head);
    }
}
