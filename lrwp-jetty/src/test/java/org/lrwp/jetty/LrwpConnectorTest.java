package org.lrwp.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextResponse;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.testkit.wire.Frame;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Servlets of a Jetty server that has dialled in to a proxy played by the test. */
@Timeout(60)
final class LrwpConnectorTest {
    private static final int PLACES = 8;
    private static final int IDLE_MILLIS = 100;

    @AutoClose private final ServerSocket listener = listen();
    private final Server server = new Server();
    private final ServletContextHandler web = new ServletContextHandler("/app");

    /** A permit for each request whose first thread has come back. */
    private final Semaphore handled = new Semaphore(0);

    /** What a test lets a servlet do. */
    private interface Work {
        void answer(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private static ServerSocket listen() {
        try {
            return PlayedProxy.listen();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private PeerBuilder builder() {
        return LrwpPeer.builder()
                .proxy("127.0.0.1:" + listener.getLocalPort())
                .context("/app")
                .concurrency(PLACES);
    }

    private PlayedProxy serving(Work work) throws Exception {
        return serving(builder(), work);
    }

    private PlayedProxy serving(PeerBuilder builder, Work work) throws Exception {
        ServletHolder servlet =
                new ServletHolder(
                        new HttpServlet() {
                            private static final long serialVersionUID = 1;

                            @Override
                            protected void service(
                                    HttpServletRequest request, HttpServletResponse response)
                                    throws IOException {
                                try {
                                    work.answer(request, response);
                                } catch (IOException | RuntimeException e) {
                                    throw e;
                                } catch (Exception e) {
                                    throw new AssertionError(e);
                                }
                            }
                        });
        servlet.setAsyncSupported(true);
        web.addServlet(servlet, "/s/*");
        server.setHandler(
                new Handler.Wrapper(web) {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback)
                            throws Exception {
                        try {
                            return super.handle(request, response, callback);
                        } finally {
                            handled.release();
                        }
                    }
                });
        LrwpConnector.replace(server, builder);
        server.start();
        return PlayedProxy.accept(listener, "app");
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private static Frame request(String method, String target, String body, String... more) {
        return begun(1, method, target, body, more).ending();
    }

    private static Frame begun(
            int stream, String method, String target, String body, String... more) {
        Map<String, String> variables = PlayedProxy.variables(method, target);
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        return PlayedProxy.request(stream, variables, body);
    }

    private static String ask(PlayedProxy proxy, Frame request) throws IOException {
        proxy.send(request);
        return proxy.answer(1);
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static void echo(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        request.getInputStream().transferTo(response.getOutputStream());
    }

    @Test
    void servletSeesTheRequestOfTheClient() throws Exception {
        Work work =
                (request, response) -> {
                    response.setHeader("X-Own", "1");
                    response.getWriter()
                            .print(
                                    String.join(
                                            " ",
                                            request.getContextPath(),
                                            request.getServletPath(),
                                            request.getPathInfo(),
                                            request.getQueryString(),
                                            request.getParameter("c"),
                                            request.getRequestURL(),
                                            request.getProtocol(),
                                            request.getRemoteAddr() + ":" + request.getRemotePort(),
                                            "secure=" + request.isSecure(),
                                            request.getHeader("x-one"),
                                            "length=" + request.getContentLength()));
                };
        try (PlayedProxy proxy = serving(work)) {
            Frame asked =
                    request(
                            "GET",
                            "/app/s/a%20b?c=d",
                            "",
                            "HTTP_HOST",
                            "shop.example:8443",
                            "HTTPS",
                            "on",
                            "HTTP_X_ONE",
                            "one");
            String answer = ask(proxy, asked);
            assertEquals(
                    "/app /s /a b c=d d https://shop.example:8443/app/s/a%20b HTTP/1.1"
                            + " 192.0.2.7:4711 secure=true one length=-1",
                    body(answer));
            assertTrue(answer.contains("Status: 200 OK\r\n"), answer);
            assertTrue(answer.contains("X-Own: 1\r\n"), answer);
            assertFalse(answer.contains("Connection:"), answer);

            String plain = ask(proxy, request("GET", "/app/s/", ""));
            assertTrue(plain.contains(" http://example.com/app/s/ "), plain);
        }
    }

    @Test
    void formIsReadByItsLength() throws Exception {
        Work work = (request, response) -> response.getWriter().print(request.getParameter("b"));
        try (PlayedProxy proxy = serving(work)) {
            Frame form =
                    request(
                            "POST",
                            "/app/s/",
                            "a=1&b=two",
                            "CONTENT_TYPE",
                            "application/x-www-form-urlencoded",
                            "CONTENT_LENGTH",
                            "9");
            assertEquals("two", body(ask(proxy, form)));
        }
    }

    @Test
    void largeBodiesComeThroughBothWaysNoFasterThanTheyAreRead() throws Exception {
        PeerBuilder narrow = builder().stream(true).window(65_536);
        try (PlayedProxy proxy = serving(narrow, LrwpConnectorTest::echo)) {
            proxy.send(begun(1, "PUT", "/app/s/", "a".repeat(65_536)));
            proxy.expect(Frame.STARTED, 1);
            StringBuilder body = new StringBuilder();
            long granted = 0;
            int sent = 0;
            boolean ended = false;
            while (!ended) {
                Frame frame = proxy.frame();
                switch (frame.type()) {
                    case Frame.WINDOW -> granted += frame.number();
                    case Frame.RESPONSE -> body.append(frame.body());
                    // The last bytes may come with the end.
                    case Frame.DATA -> body.append(frame.text());
                    default -> throw new AssertionError(frame);
                }
                ended = frame.isEnd();
                if (frame.type() != Frame.WINDOW && !ended) {
                    proxy.window(1, frame.payload().length);
                }
                while (sent < 4 && granted >= 30_000L * (sent + 1)) {
                    proxy.data(1, "b".repeat(30_000));
                    sent++;
                    if (sent == 4) {
                        proxy.endData(1);
                    }
                }
            }
            assertEquals("a".repeat(65_536) + "b".repeat(120_000), body.toString());
        }
    }

    @Test
    void flushGoesToTheClientAtOnce() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Work work =
                (request, response) -> {
                    response.setContentType("text/event-stream");
                    response.getWriter().print("data: one\n\n");
                    response.flushBuffer();
                    seen.await();
                    response.getWriter().print("data: two\n\n");
                };
        try (PlayedProxy proxy = serving(work)) {
            proxy.send(request("GET", "/app/s/", ""));
            proxy.expect(Frame.STARTED, 1);
            StringBuilder text = new StringBuilder();
            while (text.indexOf("one\n\n") < 0) {
                text.append(proxy.frame().text());
            }
            seen.countDown();
            Frame frame = proxy.frame();
            text.append(frame.text());
            while (!frame.isEnd()) {
                frame = proxy.frame();
                text.append(frame.text());
            }
            assertTrue(text.toString().endsWith("data: one\n\ndata: two\n\n"), text::toString);
        }
    }

    @Test
    void servletMayAnswerLaterAndOnAnotherThread() throws Exception {
        Work work =
                (request, response) -> {
                    AsyncContext later = request.startAsync();
                    ServletInputStream in = request.getInputStream();
                    ByteArrayOutputStream read = new ByteArrayOutputStream();
                    in.setReadListener(
                            new ReadListener() {
                                @Override
                                public void onDataAvailable() throws IOException {
                                    byte[] part = new byte[1_000];
                                    while (in.isReady() && !in.isFinished()) {
                                        int count = in.read(part);
                                        read.write(part, 0, Math.max(0, count));
                                    }
                                }

                                @Override
                                public void onAllDataRead() throws IOException {
                                    response.getOutputStream().write(read.toByteArray());
                                    later.complete();
                                }

                                @Override
                                public void onError(Throwable cause) {
                                    throw new AssertionError(cause);
                                }
                            });
                };
        try (PlayedProxy proxy = serving(builder().stream(true), work)) {
            proxy.send(begun(1, "POST", "/app/s/", "first "));
            proxy.data(1, "second ");
            proxy.lastData(1, "third");
            assertEquals("first second third", body(proxy.answer(1)));
        }
    }

    @Test
    void exceptionIs500AndOneThatComesLateCutsTheClient() throws Exception {
        Work work =
                (request, response) -> {
                    if (request.getPathInfo().equals("/late")) {
                        response.getOutputStream().print("begun");
                        response.flushBuffer();
                    } else if (request.getPathInfo().equals("/header")) {
                        response.setHeader("X no name", "x");
                        return;
                    }
                    throw new IllegalStateException("planned");
                };
        try (PlayedProxy proxy = serving(work)) {
            for (String way : new String[] {"/early", "/header"}) {
                String answer = ask(proxy, request("GET", "/app/s" + way, ""));
                assertTrue(answer.contains("Status: 500"), answer);
            }
            proxy.send(request("GET", "/app/s/late", ""));
            Frame frame = proxy.expect(Frame.STARTED, 1);
            while (frame.type() != Frame.CANCEL) {
                assertFalse(frame.isEnd());
                frame = proxy.frame();
            }
            proxy.requireAlive();
        }
    }

    @Test
    void fieldOfTheNameStatusIsLeftOut() throws Exception {
        Work work =
                (request, response) -> {
                    response.setHeader("Status", "200 OK");
                    if (request.getPathInfo().equals("/flushed")) {
                        response.flushBuffer();
                    }
                    response.getOutputStream().print("fine");
                };
        try (PlayedProxy proxy = serving(work)) {
            for (String way : new String[] {"/whole", "/flushed", "/whole"}) {
                String answer = ask(proxy, request("GET", "/app/s" + way, ""));
                assertEquals("fine", body(answer));
                assertEquals(
                        answer.indexOf("Status: 200 OK\r\n"), answer.lastIndexOf("Status"), answer);
            }
        }
    }

    @Test
    void headThatIsTooLongForAFrameIs500AndItsPlaceIsFreeAgain() throws Exception {
        Work work =
                (request, response) -> {
                    response.setHeader("X-Large", "a".repeat(70_000));
                    if (request.getPathInfo().equals("/flushed")) {
                        response.flushBuffer();
                    }
                };
        try (PlayedProxy proxy = serving(work)) {
            for (String way : new String[] {"/whole", "/flushed", "/whole"}) {
                String answer = ask(proxy, request("GET", "/app/s" + way, ""));
                assertTrue(answer.contains("Status: 500"), answer);
            }
        }
    }

    @Test
    void valueThatHasNoBytesOnTheWireIsSentAsNearAsCanBe() throws Exception {
        Work work =
                (request, response) -> {
                    response.setHeader("X-Wide", "\u0141\u00f3d\u017a.pdf");
                    Response core = ServletContextResponse.getServletContextResponse(response);
                    core.getHeaders().put("X-Control", "a\u0007b\tc\u007fd");
                };
        try (PlayedProxy proxy = serving(work)) {
            String answer = ask(proxy, request("GET", "/app/s/", ""));
            assertTrue(answer.contains("Status: 200"), answer);
            assertTrue(answer.contains("X-Wide: ?\u00f3d?.pdf\r\n"), answer);
            assertTrue(answer.contains("X-Control: a b\tc d\r\n"), answer);
        }
    }

    @Test
    void whatIsNoRequestOfAnApplicationIsRefusedByJetty() throws Exception {
        try (PlayedProxy proxy = serving(LrwpConnectorTest::echo)) {
            assertTrue(ask(proxy, request("GET", "/app/none", "")).contains("Status: 404"));
            assertTrue(ask(proxy, request("GET", "/app/s/%2e%2e/x", "")).contains("Status: 400"));
            assertTrue(ask(proxy, request("GET", "/app/s/%zz", "")).contains("Status: 400"));
            String host = ask(proxy, request("GET", "/app/s/", "", "HTTP_HOST", "a:b:c"));
            assertTrue(host.contains("Status: 400"), host);
        }
    }

    @Test
    void answerWithoutABodyHasTheHeadOfOneThatHas() throws Exception {
        Work work =
                (request, response) -> {
                    if (request.getPathInfo().equals("/none")) {
                        response.setStatus(204);
                    } else {
                        response.getOutputStream().print("12345");
                    }
                };
        try (PlayedProxy proxy = serving(work)) {
            String head = ask(proxy, request("HEAD", "/app/s/", ""));
            assertTrue(head.contains("Content-Length: 5\r\n"), head);
            assertEquals("", body(head));
            assertTrue(ask(proxy, request("GET", "/app/s/none", "")).contains("Status: 204"));
        }
    }

    @Test
    void writesAndReadsFailWhenTheClientHasGone() throws Exception {
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        Work work =
                (request, response) -> {
                    try {
                        if (request.getMethod().equals("PUT")) {
                            response.flushBuffer();
                            request.getInputStream().readAllBytes();
                        }
                        while (true) {
                            response.getOutputStream().write(new byte[10_000]);
                        }
                    } catch (IOException e) {
                        failure.complete(e);
                        throw e;
                    }
                };
        try (PlayedProxy proxy = serving(builder().stream(true), work)) {
            proxy.send(request("GET", "/app/s/", ""));
            proxy.expect(Frame.STARTED, 1);
            proxy.expect(Frame.RESPONSE, 1);
            proxy.cancel(1, "gone");
            assertInstanceOf(EofException.class, failure.get());
            awaitCancel(proxy, 1);

            proxy.send(begun(2, "PUT", "/app/s/", "part"));
            proxy.expect(Frame.STARTED, 2);
            proxy.expect(Frame.RESPONSE, 2);
            proxy.cancel(2, "gone");
            awaitCancel(proxy, 2);
            proxy.requireAlive();
        }
    }

    private static void awaitCancel(PlayedProxy proxy, int stream) throws IOException {
        Frame frame = proxy.frame();
        while (frame.type() != Frame.CANCEL) {
            frame = proxy.frame();
        }
        assertEquals(stream, frame.stream());
    }

    @Test
    void cancelIsAnErrorOfAnAsynchronousRequestToo() throws Exception {
        CompletableFuture<Throwable> heard = new CompletableFuture<>();
        Work work =
                (request, response) -> {
                    AsyncContext later = request.startAsync();
                    later.setTimeout(0);
                    later.addListener(new ErrorListener(heard));
                };
        try (PlayedProxy proxy = serving(work)) {
            proxy.send(request("GET", "/app/s/", ""));
            proxy.expect(Frame.STARTED, 1);
            // Jetty tells listeners of a failure only when the first thread has left the servlet.
            handled.acquire();
            proxy.cancel(1, "gone");
            assertInstanceOf(EofException.class, heard.get());
            awaitCancel(proxy, 1);
        }
    }

    @Test
    void asManyRequestsAsThereArePlacesRunAtOnce() throws Exception {
        CountDownLatch all = new CountDownLatch(PLACES);
        Work work =
                (request, response) -> {
                    all.countDown();
                    all.await();
                    response.getWriter().print(request.getPathInfo());
                };
        try (PlayedProxy proxy = serving(work)) {
            for (int stream = 1; stream <= PLACES; stream++) {
                proxy.send(begun(stream, "GET", "/app/s/" + stream, "").ending());
            }
            Map<Integer, String> answers = new HashMap<>();
            while (answers.size() < PLACES) {
                Frame frame = proxy.frame();
                if (frame.isEnd()) {
                    answers.put(frame.stream(), frame.body());
                }
            }
            for (int stream = 1; stream <= PLACES; stream++) {
                assertEquals("/" + stream, answers.get(stream));
            }
        }
    }

    /** The protocol has neither; an application that sends them gets its answer to the client. */
    @Test
    void interimAnswersAndTrailersDoNotReachTheClientAndHarmNothing() throws Exception {
        Work work =
                (request, response) -> {
                    Response core = ServletContextResponse.getServletContextResponse(response);
                    HttpFields links = HttpFields.from(new HttpField("Link", "</style.css>"));
                    core.writeInterim(HttpStatus.EARLY_HINTS_103, links).get();
                    response.setTrailerFields(() -> Map.of("Sum", "1"));
                    response.getOutputStream().print("part ");
                    response.flushBuffer();
                    response.getOutputStream().print("rest");
                };
        try (PlayedProxy proxy = serving(work)) {
            String answer = ask(proxy, request("GET", "/app/s/", ""));

            assertTrue(answer.contains("Status: 200 OK\r\n"), answer);
            assertFalse(answer.contains("Link") || answer.contains("Sum"), answer);
            assertEquals("part rest", body(answer));
            proxy.requireAlive();
        }
    }

    /** The proxy says 100 by itself: a servlet that reads finds the body. */
    @Test
    void clientThatWaitsFor100GetsNoneFromHere() throws Exception {
        try (PlayedProxy proxy = serving(builder().stream(true), LrwpConnectorTest::echo)) {
            proxy.send(begun(1, "PUT", "/app/s/", "", "HTTP_EXPECT", "100-continue"));
            proxy.expect(Frame.STARTED, 1);
            proxy.lastData(1, "body");

            Frame answer = proxy.frame();
            while (answer.type() == Frame.WINDOW) {
                answer = proxy.frame();
            }
            assertTrue(answer.text().contains("Status: 200 OK\r\n"), answer::text);
            assertEquals("body", answer.body());
        }
    }

    @Test
    void readThatWaitsLongerThanTheApplicationAllowsFails() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Work work =
                (request, response) -> {
                    try {
                        request.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        failure.complete(e.getCause());
                        response.sendError(408);
                    }
                };
        try (PlayedProxy proxy = serving(builder().stream(true), work)) {
            ((LrwpConnector) server.getConnectors()[0]).setIdleTimeout(IDLE_MILLIS);
            proxy.send(begun(1, "PUT", "/app/s/", "part"));

            assertInstanceOf(TimeoutException.class, failure.get());
            proxy.expect(Frame.STARTED, 1);
            Frame answer = proxy.frame();
            while (answer.type() == Frame.WINDOW) {
                answer = proxy.frame();
            }
            assertTrue(answer.text().contains("Status: 408"), answer::text);
        }
    }

    @Test
    void writeThatWaitsLongerThanTheApplicationAllowsFails() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Work work =
                (request, response) -> {
                    try {
                        while (true) {
                            response.getOutputStream().write(new byte[10_000]);
                        }
                    } catch (IOException e) {
                        failure.complete(e.getCause());
                        throw e;
                    }
                };
        try (PlayedProxy proxy = serving(work)) {
            ((LrwpConnector) server.getConnectors()[0]).setIdleTimeout(IDLE_MILLIS);
            proxy.send(request("GET", "/app/s/", ""));

            assertInstanceOf(TimeoutException.class, failure.get());
            awaitCancel(proxy, 1);
            proxy.requireAlive();
        }
    }

    @Test
    void shutdownTellsTheProxyAndFinishesWhatHasBegun() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Work work =
                (request, response) -> {
                    entered.countDown();
                    released.await();
                    response.getWriter().print("done");
                };
        CompletableFuture<Void> gone;
        try (PlayedProxy proxy = serving(work)) {
            proxy.send(request("GET", "/app/s/", ""));
            entered.await();
            gone = server.getConnectors()[0].shutdown();
            proxy.expect(Frame.STARTED, 1);
            proxy.expect(Frame.DRAIN, 0);
            assertFalse(gone.isDone());

            released.countDown();
            assertEquals("done", proxy.expect(Frame.RESPONSE, 1).body());
        }
        gone.get(30, TimeUnit.SECONDS);
    }

    @Test
    void connectorHasAPeerInsteadOfAPort() throws Exception {
        LrwpConnector connector = new LrwpConnector(server, builder());
        assertEquals(null, connector.peer());
        assertEquals(connector, connector.getTransport());
        assertThrows(IllegalStateException.class, () -> connector.accept(0));
        connector.shutdown().get(30, TimeUnit.SECONDS);
        try (PlayedProxy proxy = serving(LrwpConnectorTest::echo)) {
            LrwpConnector dialled = (LrwpConnector) server.getConnectors()[0];
            assertInstanceOf(LrwpPeer.class, dialled.getTransport());
            assertEquals("", body(ask(proxy, request("GET", "/app/s/", ""))));
        }
    }
}
