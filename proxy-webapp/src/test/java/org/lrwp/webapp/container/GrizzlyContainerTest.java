package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import org.apache.catalina.connector.RequestFacade;
import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.asyncqueue.TaskQueue;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.HttpResponsePacket;
import org.glassfish.grizzly.http.Method;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.NIOTransport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.webapp.servlet.Container;
import org.lrwp.webapp.servlet.ContainerLink;
import org.mockito.ArgumentCaptor;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

class GrizzlyContainerTest {
    private static final Http2Watch WATCH =
            new Http2Watch(
                    0, () -> Duration.ZERO, () -> Duration.ZERO, () -> 0, () -> 0, check -> {});
    private final Container container =
            GrizzlyContainer.find(
                    target -> Set.of("/a%2fb", "/%").contains(target) ? "/bad" : target, WATCH);
    private final RequestFacade facade = mock(RequestFacade.class);
    private final ContainerLink plain = Container.PLAIN.linkOf(facade);
    private final Request request = mock(Request.class);
    private final FilterChainContext chain = mock(FilterChainContext.class);
    private final HttpRequestPacket asked = mock(HttpRequestPacket.class);
    private final HttpResponsePacket answer = mock(HttpResponsePacket.class);
    private final NIOConnection connection = mock(NIOConnection.class);
    private final HttpServerFilter filter = mock(HttpServerFilter.class);
    private final HttpHandler handler = mock(HttpHandler.class);
    private final AtomicReference<HttpHandler> present = new AtomicReference<>(handler);
    private final MimeHeaders headers = new MimeHeaders();

    @BeforeEach
    void setUp() {
        var coyote = mock(org.apache.catalina.connector.Request.class);
        var response = mock(Response.class);
        when(facade.getUnwrappedCoyoteRequest()).thenReturn(coyote);
        when(coyote.getGrizzlyRequest()).thenReturn(request);
        when(request.getContext()).thenReturn(chain);
        when(chain.getConnection()).thenReturn(connection);
        when(request.getResponse()).thenReturn(response);
        when(request.getRequest()).thenReturn(asked);
        when(response.getResponse()).thenReturn(answer);
        when(answer.getRequest()).thenReturn(asked);
        when(answer.getHeaders()).thenReturn(headers);
        when(asked.getProtocolString()).thenReturn("HTTP/1.1");
        when(request.getHttpFilter()).thenReturn(filter);
        when(filter.getHttpHandler()).thenAnswer(call -> present.get());
        doAnswer(
                        call -> {
                            present.set(call.getArgument(0));
                            return null;
                        })
                .when(filter)
                .setHttpHandler(any());
    }

    @Test
    void requestOfAnotherContainerHasThePlainLink() {
        assertSame(plain.getClass(), container.linkOf(mock(HttpServletRequest.class)).getClass());
        assertFalse(plain.isToBeCut());
        plain.cut(true);
        assertTrue(plain.isToBeCut());
        plain.end();
        plain.prepareAnswer("x");
        assertFalse(plain.isEnded());
        assertEquals(0, plain.pendingBytes());
        Container.PLAIN.close();
    }

    @Test
    void requestIsWholeWhenGrizzlyExpectsNoMore() {
        when(asked.isExpectContent()).thenReturn(true, false);

        assertFalse(container.linkOf(facade).hasWholeRequest());
        assertTrue(container.linkOf(facade).hasWholeRequest());
        assertFalse(plain.hasWholeRequest());
    }

    @Test
    void wrappedRequestLeadsToItsConnection() {
        assertInstanceOf(
                GrizzlyLink.class, container.linkOf(new HttpServletRequestWrapper(facade)));
    }

    @Test
    void nameOfTheContainerIsTakenOutOfTheAnswer() {
        headers.addValue("Server").setString("GlassFish");
        headers.addValue("X-Powered-By").setString("GlassFish");
        headers.addValue("X").setString("y");

        container.linkOf(facade).prepareAnswer("Made It");

        assertEquals(1, headers.size());
        verify(answer).setReasonPhrase("Made It");
    }

    @Test
    void emptyReasonLeavesTheUsualOne() {
        container.linkOf(facade).prepareAnswer("");

        verify(answer, never()).setReasonPhrase(anyString());
    }

    @Test
    void cutWithResetLeavesNoLinger() throws Exception {
        var channel = mock(SocketChannel.class);
        when(connection.getChannel()).thenReturn(channel);

        container.linkOf(facade).cut(true);

        verify(channel).setOption(StandardSocketOptions.SO_LINGER, 0);
        verify(connection).terminateSilently();
    }

    @Test
    void connectionRemembersItsLastAnswer() {
        when(connection.getAttributes())
                .thenReturn(Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createSafeAttributeHolder());
        assertFalse(container.linkOf(facade).isEnded());

        container.linkOf(facade).end();

        assertTrue(container.linkOf(facade).isEnded());
    }

    @Test
    void channelThatTakesNoOptionIsClosedAllTheSame() throws Exception {
        var channel = mock(SocketChannel.class);
        when(connection.getChannel()).thenReturn(channel);
        when(channel.setOption(StandardSocketOptions.SO_LINGER, 0))
                .thenThrow(new ClosedChannelException());

        container.linkOf(facade).cut(true);

        verify(connection).terminateSilently();
    }

    @Test
    void cutWithoutResetIsAPlainClose() {
        container.linkOf(facade).cut(false);

        verify(connection, never()).getChannel();
        verify(connection).terminateSilently();
    }

    @Test
    void aStreamOfHttp2TakesNoMoreBeforeAllOfItIsSent() {
        NIOTransport transport = mock(NIOTransport.class);
        ExecutorService workers = mock(ExecutorService.class);
        when(connection.getTransport()).thenReturn(transport);
        when(transport.getWorkerThreadPool()).thenReturn(workers);
        when(asked.getProtocolString()).thenReturn("HTTP/2.0");
        var told = new AtomicInteger();
        ContainerLink link = container.linkOf(facade);

        assertTrue(link.takesMore(told::incrementAndGet));
        link.written();
        link.written();
        var flushes = ArgumentCaptor.forClass(CompletionHandler.class);
        verify(chain, times(2)).flush(flushes.capture());
        flushes.getAllValues().getFirst().cancelled();
        assertFalse(link.takesMore(told::incrementAndGet));
        verify(workers, never()).execute(any());
        flushes.getAllValues().getLast().failed(new IOException("reset"));

        var task = ArgumentCaptor.forClass(Runnable.class);
        verify(workers).execute(task.capture());
        assertEquals(0, told.get());
        task.getValue().run();
        assertEquals(1, told.get());
        assertTrue(link.takesMore(told::incrementAndGet));
    }

    @Test
    void sharedConnectionOfHttp2IsNeverCut() {
        when(asked.getProtocolString()).thenReturn("HTTP/2.0");
        when(asked.getAttributes())
                .thenReturn(Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createSafeAttributeHolder());

        var link = container.linkOf(facade);
        link.cut(true);
        link.end();

        verify(connection, never()).terminateSilently();
        assertFalse(link.isEnded());
        assertEquals(0, link.pendingBytes());
    }

    @Test
    @SuppressWarnings("unchecked")
    void pendingBytesAreThoseOfTheWriteQueue() {
        TaskQueue<org.glassfish.grizzly.asyncqueue.AsyncWriteQueueRecord> queue =
                mock(TaskQueue.class);
        when(queue.spaceInBytes()).thenReturn(7);
        when(connection.getAsyncWriteQueue()).thenReturn(queue);

        assertEquals(7, container.linkOf(facade).pendingBytes());
        assertTrue(container.linkOf(facade).tellsPending());
    }

    @Test
    void guardStandsBeforeTheContainersHandlerOnceAndGoesWithTheApplication() throws Exception {
        container.linkOf(facade);
        HttpHandler guard = present.get();
        container.linkOf(facade);

        assertInstanceOf(TargetGuard.class, guard);
        assertSame(guard, present.get());
        container.close();
        assertSame(handler, present.get());
    }

    /** Two copies of the application have guards of their own; whoever goes last tidies up. */
    @Test
    void guardOfAnotherCopyThatHasGoneIsTakenAwayToo() {
        Container copy = GrizzlyContainer.find(target -> target, WATCH);
        container.linkOf(facade);
        HttpHandler first = present.get();
        copy.linkOf(facade);
        HttpHandler second = present.get();
        assertNotSame(first, second);

        container.close();
        assertSame(second, present.get());
        copy.close();

        assertSame(handler, present.get());
    }

    @Test
    void guardThatStandsAsideDoesNothing() throws Exception {
        container.linkOf(facade);
        var guard = assertInstanceOf(TargetGuard.class, present.get());
        container.close();

        when(asked.getRequestURI()).thenReturn("/a%2fb");
        guard.service(request, mock(Response.class));

        verify(asked, never()).setRequestURI(anyString());
        verify(handler).service(any(), any());
        assertSame(handler, guard.get());
    }

    /** Grizzly takes what is left of a body for the request when that is complete. */
    @Test
    void requestThatWasHandedOverBeforeEndsItsConnection() throws Exception {
        var guard = new TargetGuard(handler, target -> target, this, any -> false, any -> true);

        guard.service(request, mock(Response.class));

        verify(handler, never()).service(any(), any());
        verify(connection).terminateSilently();
    }

    @Test
    void restOfABodyIsSkippedByTheContainer() {
        container.linkOf(facade).dropRest();

        verify(asked).setSkipRemainder(true);
    }

    @Test
    void targetThatWasReplacedIsRemembered() {
        assertNull(container.linkOf(facade).replacedTarget());
        assertNull(plain.replacedTarget());
        when(request.getAttribute(anyString())).thenReturn("/a%2fb");

        assertEquals("/a%2fb", container.linkOf(facade).replacedTarget());
    }

    @Test
    void guardReplacesOnlyWhatIsBad() throws Exception {
        container.linkOf(facade);
        var guard = assertInstanceOf(TargetGuard.class, present.get());
        var response = mock(Response.class);

        when(asked.getRequestURI()).thenReturn("/a%2fb", "/a%2fb", "/a%20b", "/a");
        guard.service(request, response);
        verify(asked).setRequestURI("/bad");
        verify(request).setAttribute(anyString(), eq("/a%2fb"));
        guard.service(request, response);
        guard.service(request, response);

        verify(asked).setRequestURI(anyString());
        assertNull(guard.get());
    }

    /** GlassFish answers a GET for it not at all. */
    @Test
    void targetWithoutASlashIsReplacedUnlessItAsksForTheServer() throws Exception {
        container.linkOf(facade);
        var guard = assertInstanceOf(TargetGuard.class, present.get());
        when(asked.getRequestURI()).thenReturn("*");
        when(request.getMethod()).thenReturn(Method.OPTIONS, Method.GET);

        guard.service(request, mock(Response.class));
        verify(asked, never()).setRequestURI(anyString());

        guard.service(request, mock(Response.class));
        verify(asked).setRequestURI("/bad");
        verify(request).setAttribute(anyString(), eq("*"));
    }

    @Test
    void aStreamOfHttp2IsLeftAsItIs() {
        when(asked.getProtocolString()).thenReturn("HTTP/2.0");
        when(asked.getAttributes())
                .thenReturn(Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createSafeAttributeHolder());
        ContainerLink link = container.linkOf(facade);

        assertFalse(link.addBytes("X-A", "b"));
        assertFalse(link.setDate("today"));
        assertFalse(link.keepsOpen());
        assertFalse(link.sendsFiles());
        assertEquals(0, link.pendingBytes());
        assertFalse(link.tellsPending());
        link.fixHead();
        link.dropRest();
        link.end();
        assertFalse(link.isEnded());
        verify(asked, never()).setSkipRemainder(anyBoolean());
        assertEquals(0, headers.size());
    }
}
