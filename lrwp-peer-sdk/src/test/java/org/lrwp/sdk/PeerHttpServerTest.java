package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.QUICK;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.sdk.httpserver.PeerHttpServer;
import org.lrwp.testkit.wire.Frame;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Handlers of the JDK's server, with a proxy played by the test. */
@Timeout(60)
final class PeerHttpServerTest {
    private final RecordedEvents events = new RecordedEvents();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    private final PeerHttpServer server =
            PeerHttpServer.of(
                    LrwpPeer.builder()
                            .proxy(proxy.address())
                            .concurrency(4)
                            .window(65_536)
                            .listener(events)
                            .times(QUICK));

    private FrameSide started() throws Exception {
        server.start();
        return FrameSide.accept(proxy);
    }

    /** A proxy that serves /osp by a handler. */
    private FrameSide serving(HttpHandler handler) throws Exception {
        server.createContext("/osp", handler);
        return started();
    }

    private static Frame request(String method, String rest, String body, String... variables) {
        Map<String, String> all = new HashMap<>();
        all.put("REQUEST_METHOD", method);
        all.put("REQUEST_URI", "/osp" + rest);
        all.put("SCRIPT_NAME", "/osp");
        all.put("PATH_INFO", rest);
        for (int i = 0; i < variables.length; i += 2) {
            all.put(variables[i], variables[i + 1]);
        }
        return FrameSide.begun(1, all, body).ending();
    }

    private static Frame ask(FrameSide side, Frame request) throws Exception {
        side.send(request);
        return side.answer(1);
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        exchange.sendResponseHeaders(200, text.length());
        exchange.getResponseBody().write(text.getBytes(ISO_8859_1));
        exchange.close();
    }

    private static void echo(HttpExchange exchange) throws IOException {
        answer(exchange, new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1));
    }

    @Test
    void handlerSeesTheRequestAsItCame() throws Exception {
        HttpHandler handler =
                exchange -> {
                    InetSocketAddress client = exchange.getRemoteAddress();
                    String host = client.getAddress().getHostAddress() + ":" + client.getPort();
                    answer(
                            exchange,
                            String.join(
                                    " ",
                                    exchange.getRequestMethod(),
                                    exchange.getRequestURI().getPath(),
                                    exchange.getRequestURI().getQuery(),
                                    exchange.getProtocol(),
                                    host,
                                    exchange.getLocalAddress().getHostString(),
                                    exchange.getRequestHeaders().getFirst("x-one"),
                                    exchange.getRequestHeaders().getFirst("Content-Type"),
                                    exchange.getHttpContext().getPath()));
                };
        try (FrameSide side = serving(handler)) {
            Frame asked =
                    request(
                            "GET",
                            "/a%20b?c=d",
                            "",
                            "SERVER_PROTOCOL",
                            "HTTP/1.1",
                            "REMOTE_ADDR",
                            "192.0.2.7",
                            "REMOTE_PORT",
                            "4711",
                            "SERVER_NAME",
                            "example.com",
                            "HTTP_X_ONE",
                            "1",
                            "CONTENT_TYPE",
                            "a/b");
            assertEquals(
                    "GET /osp/a b c=d HTTP/1.1 192.0.2.7:4711 example.com 1 a/b /osp",
                    ask(side, asked).body());
        }
        server.stop(1);
    }

    @Test
    void headSaysWhatTheHandlerHasSet() throws Exception {
        HttpHandler handler =
                exchange -> {
                    exchange.getResponseHeaders().add("X-Two", "a");
                    exchange.getResponseHeaders().add("X-Two", "b");
                    exchange.getResponseHeaders().set("Connection", "close");
                    assertEquals(-1, exchange.getResponseCode());
                    exchange.sendResponseHeaders(201, 2);
                    assertThrows(IOException.class, () -> exchange.sendResponseHeaders(200, 2));
                    assertEquals(201, exchange.getResponseCode());
                    exchange.getResponseBody().write('o');
                    exchange.getResponseBody().write('k');
                    exchange.close();
                };
        try (FrameSide side = serving(handler)) {
            side.send(request("GET", "", ""));
            Frame head = side.answer(1);
            assertEquals(
                    "X-two: a\r\nX-two: b\r\nContent-Length: 2\r\nStatus: 201 Created\r\n\r\nok",
                    head.text());
        }
        server.stop(1);
    }

    @Test
    void fieldsThatTheClientSendsEmptyAreThere() throws Exception {
        HttpHandler handler =
                exchange ->
                        answer(
                                exchange,
                                String.join(
                                        " ",
                                        String.valueOf(exchange.getRequestHeaders().get("x-empty")),
                                        String.valueOf(
                                                exchange.getRequestHeaders().get("content-type")),
                                        String.valueOf(
                                                exchange.getRequestHeaders()
                                                        .get("content-length"))));
        try (FrameSide side = serving(handler)) {
            Frame asked =
                    request(
                            "GET",
                            "",
                            "",
                            "HTTP_X_EMPTY",
                            "",
                            "CONTENT_TYPE",
                            "",
                            "CONTENT_LENGTH",
                            "");
            assertEquals("[] null null", ask(side, asked).body());
        }
        server.stop(1);
    }

    @Test
    void fieldOfTheNameStatusIsLeftOut() throws Exception {
        HttpHandler handler =
                exchange -> {
                    exchange.getResponseHeaders().set("Status", "200 OK");
                    answer(exchange, "fine");
                };
        try (FrameSide side = serving(handler)) {
            assertEquals(
                    "Content-Length: 4\r\nStatus: 200 OK\r\n\r\nfine",
                    ask(side, request("GET", "", "")).text());
        }
        server.stop(1);
    }

    @Test
    void headThatIsTooLongForAFrameIs500() throws Exception {
        HttpHandler handler =
                exchange -> {
                    exchange.getResponseHeaders().set("X-Large", "a".repeat(70_000));
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                };
        try (FrameSide side = serving(handler)) {
            for (int i = 0; i < 2; i++) {
                Frame answer = ask(side, request("GET", "", ""));
                assertTrue(answer.text().contains("Status: 500"), answer::text);
                events.next(PeerEvent.HandlerFailed.class);
            }
        }
        server.stop(1);
    }

    @Test
    void answerWithoutABodyIsOneFrame() throws Exception {
        HttpHandler handler =
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    exchange.sendResponseHeaders(Integer.parseInt(path.substring(5)), -1);
                    exchange.close();
                };
        try (FrameSide side = serving(handler)) {
            Frame found = ask(side, request("GET", "/200", ""));
            assertTrue(found.isEnd());
            assertEquals("Content-Length: 0\r\nStatus: 200 OK\r\n\r\n", found.text());
            assertEquals(
                    "Status: 204 No Content\r\n\r\n", ask(side, request("GET", "/204", "")).text());
            Frame head = ask(side, request("HEAD", "/200", ""));
            assertEquals("Status: 200 OK\r\n\r\n", head.text());
        }
        server.stop(1);
    }

    @Test
    void eachFlushOfABodyOfUnknownLengthIsOnItsWayAtOnce() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        HttpHandler handler =
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    try (OutputStream out = exchange.getResponseBody()) {
                        out.write("one".getBytes(ISO_8859_1));
                        out.flush();
                        await(seen);
                        out.write("two".getBytes(ISO_8859_1));
                    }
                };
        try (FrameSide side = serving(handler)) {
            side.send(request("GET", "", ""));
            StringBuilder body = new StringBuilder(side.answer(1).body());
            while (body.length() < 3) {
                body.append(side.expect(Frame.DATA, 1).text());
            }
            assertEquals("one", body.toString());
            seen.countDown();
            Frame last = side.expect(Frame.DATA, 1);
            assertEquals("two", last.text() + (last.isEnd() ? "" : side.frame().text()));
        }
        server.stop(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void bodyIsReadAsItComesAndNoFaster() throws Exception {
        try (FrameSide side = serving(PeerHttpServerTest::echo)) {
            Map<String, String> variables =
                    Map.of("REQUEST_METHOD", "PUT", "SCRIPT_NAME", "/osp", "REQUEST_URI", "/osp");
            side.send(FrameSide.begun(1, variables, "a".repeat(65_536)));
            side.expect(Frame.STARTED, 1);
            side.expect(Frame.WINDOW, 1);
            side.data(1, "b".repeat(30_000));
            side.lastData(1, "c");

            StringBuilder body = new StringBuilder();
            Frame frame = side.frame();
            while (true) {
                if (frame.type() == Frame.RESPONSE) {
                    body.append(frame.body());
                } else if (frame.type() == Frame.DATA) {
                    body.append(frame.text());
                }
                if (frame.isEnd()) {
                    break;
                }
                side.window(1, 16_384);
                frame = side.frame();
            }
            assertEquals("a".repeat(65_536) + "b".repeat(30_000) + "c", body.toString());
        }
        server.stop(1);
    }

    @Test
    void filtersStandBeforeTheHandlerAndTalkToItByAttributes() throws Exception {
        HttpContext context =
                server.createContext(
                        "/osp",
                        exchange ->
                                answer(
                                        exchange,
                                        exchange.getAttribute("own")
                                                + " "
                                                + exchange.getAttribute("shared")));
        context.getAttributes().put("shared", "of the context");
        context.getFilters().add(Filter.beforeHandler("sets", e -> e.setAttribute("own", "mine")));
        try (FrameSide side = started()) {
            assertEquals("mine of the context", ask(side, request("GET", "", "")).body());
        }
        server.stop(1);
    }

    @Test
    void authenticatorRefusesAndNames() throws Exception {
        HttpContext context =
                server.createContext(
                        "/osp",
                        exchange -> answer(exchange, exchange.getPrincipal().getUsername()));
        context.setAuthenticator(
                new BasicAuthenticator("here") {
                    @Override
                    public boolean checkCredentials(String name, String password) {
                        return password.equals("right");
                    }
                });
        try (FrameSide side = started()) {
            Frame refused = ask(side, request("GET", "", ""));
            assertTrue(refused.text().contains("Status: 401"), refused::text);
            assertTrue(refused.text().contains("realm=\"here\""), refused::text);
            // me:right
            Frame known = request("GET", "", "", "HTTP_AUTHORIZATION", "Basic bWU6cmlnaHQ=");
            assertEquals("me", ask(side, known).body());
        }
        server.stop(1);
    }

    @Test
    void handlerThatFailsIs500AndItsListenerHears() throws Exception {
        HttpHandler handler =
                exchange -> {
                    switch (exchange.getRequestURI().getPath()) {
                        case "/osp/throw" -> throw new IllegalStateException("a fault");
                        case "/osp/value" -> {
                            exchange.getResponseHeaders().set("X", "a\u010db");
                            exchange.sendResponseHeaders(200, -1);
                        }
                        default -> exchange.close();
                    }
                };
        try (FrameSide side = serving(handler)) {
            for (String way : List.of("/throw", "/value", "/nothing")) {
                Frame answer = ask(side, request("GET", way, ""));
                assertTrue(answer.text().contains("Status: 500"), answer::text);
                events.next(PeerEvent.HandlerFailed.class);
            }
        }
        server.stop(1);
    }

    @Test
    void answerThatDoesNotKeepItsLengthHasFailed() throws Exception {
        CompletableFuture<String> tooMany = new CompletableFuture<>();
        HttpHandler handler =
                exchange -> {
                    exchange.sendResponseHeaders(200, 2);
                    if (exchange.getRequestURI().getPath().endsWith("begun")) {
                        exchange.getResponseBody().write('1');
                        exchange.getResponseBody().flush();
                    } else if (exchange.getRequestURI().getPath().endsWith("more")) {
                        byte[] three = new byte[3];
                        var e =
                                assertThrows(
                                        IOException.class,
                                        () -> exchange.getResponseBody().write(three));
                        tooMany.complete(e.getMessage());
                    }
                    exchange.close();
                };
        try (FrameSide side = serving(handler)) {
            for (String way : List.of("/more", "/fewer")) {
                Frame answer = ask(side, request("GET", way, ""));
                assertTrue(answer.text().contains("Status: 500"), answer::text);
            }
            side.send(request("GET", "/begun", ""));
            Frame frame = side.expect(Frame.STARTED, 1);
            while (frame.type() != Frame.CANCEL) {
                assertFalse(frame.isEnd());
                frame = side.frame();
            }
            assertEquals("too many bytes to write to stream", tooMany.get());
        }
        server.stop(1);
    }

    @Test
    void writeFailsWhenTheClientHasGone() throws Exception {
        CompletableFuture<String> failure = new CompletableFuture<>();
        HttpHandler endless =
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    try {
                        while (true) {
                            exchange.getResponseBody().write(new byte[10_000]);
                        }
                    } catch (IOException e) {
                        failure.complete(e.getMessage());
                        throw e;
                    }
                };
        try (FrameSide side = serving(endless)) {
            side.send(request("GET", "", ""));
            side.answer(1);
            side.cancel(1, "gone");
            assertEquals("the request was cancelled: gone", failure.get());
            Frame frame = side.frame();
            while (frame.type() == Frame.DATA) {
                frame = side.frame();
            }
            assertEquals(Frame.CANCEL, frame.type());
            side.requireAlive();
        }
        server.stop(1);
    }

    @Test
    void longestPathThatTheRequestBeginsWithIsTaken() throws Exception {
        server.createContext("/osp", exchange -> answer(exchange, "short"));
        server.createContext("/osp/long/", exchange -> answer(exchange, "long"));
        server.createContext("/osp/none");
        server.createContext("/osp/none/");
        assertThrows(IllegalArgumentException.class, () -> server.createContext("/osp"));
        assertThrows(IllegalArgumentException.class, () -> server.createContext("osp"));
        server.start();
        try (FrameSide side = FrameSide.accept(proxy)) {
            side.expect(Frame.REGISTER, 0);
            side.expect(Frame.REGISTER, 0);
            assertEquals("short", ask(side, request("GET", "/long", "")).body());
            assertEquals("long", ask(side, request("GET", "/long/er", "")).body());
            assertTrue(ask(side, request("GET", "/none", "")).text().contains("Status: 500"));
            assertTrue(ask(side, request("GET", "/%", "")).text().contains("Status: 400"));

            server.removeContext("/osp");
            side.expect(Frame.UNREGISTER, 0);
            assertTrue(ask(side, request("GET", "", "")).text().contains("Status: 404"));
            assertThrows(IllegalArgumentException.class, () -> server.removeContext("/osp"));
            server.removeContext("/osp/none/");
            server.createContext("/late", PeerHttpServerTest::echo);
            assertEquals("late\u00ff\u00ff", side.expect(Frame.REGISTER, 0).text());
        }
        server.stop(1);
    }

    @Test
    void executorOfTheProgramRunsTheHandlers() throws Exception {
        server.setExecutor(task -> Thread.ofPlatform().name("mine").start(task));
        HttpHandler handler = exchange -> answer(exchange, Thread.currentThread().getName());
        try (FrameSide side = serving(handler)) {
            assertEquals("mine", ask(side, request("GET", "", "")).body());
            assertThrows(IllegalStateException.class, () -> server.setExecutor(Runnable::run));
            assertThrows(IllegalStateException.class, server::start);
        }
        server.stop(1);
    }

    @Test
    void handlerThatRunsOnTheCallersThreadCanReadItsBody() throws Exception {
        server.setExecutor(Runnable::run);
        try (FrameSide side = serving(PeerHttpServerTest::echo)) {
            assertEquals("body", ask(side, request("POST", "", "body")).body());
            assertEquals("more", ask(side, request("POST", "", "more")).body());
        }
        server.stop(1);
    }

    @Test
    void executorThatTakesNothingIs500() throws Exception {
        server.setExecutor(
                task -> {
                    throw new RejectedExecutionException("planned");
                });
        try (FrameSide side = serving(PeerHttpServerTest::echo)) {
            Frame answer = ask(side, request("POST", "", "body"));
            assertTrue(answer.text().contains("Status: 500"), answer::text);
            events.next(PeerEvent.HandlerFailed.class);
        }
        server.stop(1);
    }

    @Test
    void stopFinishesWhatHasBegun() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        HttpHandler handler =
                exchange -> {
                    entered.countDown();
                    await(released);
                    answer(exchange, "done");
                };
        CompletableFuture<Void> stopped;
        try (FrameSide side = serving(handler)) {
            side.send(request("GET", "", ""));
            entered.await();
            stopped = CompletableFuture.runAsync(() -> server.stop(30));
            side.expect(Frame.STARTED, 1);
            side.expect(Frame.DRAIN, 0);
            assertFalse(stopped.isDone());

            released.countDown();
            assertEquals("done", side.expect(Frame.RESPONSE, 1).body());
        }
        stopped.get(30, TimeUnit.SECONDS);
    }

    @Test
    void nothingListens() {
        assertEquals(0, server.getAddress().getPort());
        assertThrows(IOException.class, () -> server.bind(new InetSocketAddress(0), 0));
        assertThrows(IllegalArgumentException.class, () -> server.stop(-1));
        assertThrows(IllegalStateException.class, server::start);
        server.stop(0);
    }
}
