package org.lrwp.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.junit.jupiter.api.Test;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What Jetty sends, where the peer says at an awkward moment that more is welcome. */
final class ExchangeStreamTest {
    private final List<String> seen = new ArrayList<>();
    private final Server server = new Server(new CallersThread());

    /** Runs everything at once. */
    private static final class CallersThread implements ThreadPool {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void join() {}

        @Override
        public int getThreads() {
            return 1;
        }

        @Override
        public int getIdleThreads() {
            return 0;
        }

        @Override
        public boolean isLowOnThreads() {
            return false;
        }
    }

    private record NoHead(Map<String, String> environment, long bodyLength)
            implements RequestHead {}

    /** Says that it has enough, and before the write is back that more is welcome. */
    private final class QuickExchange implements PeerExchange {
        private List<ExchangeListener> listeners = List.of();

        @Override
        public RequestHead request() {
            return new NoHead(Map.of("REQUEST_METHOD", "GET"), 0);
        }

        @Override
        public void listen(ExchangeListener listener) {
            listeners = List.of(listener);
        }

        @Override
        public void pauseBody() {}

        @Override
        public void resumeBody() {}

        @Override
        public void respond(int status, List<HeaderField> headers) {
            seen.add("head");
        }

        @Override
        public void answer(int status, List<HeaderField> headers, ByteBuffer bytes) {
            seen.add("answer");
        }

        @Override
        public boolean write(ByteBuffer bytes) {
            seen.add("write");
            listeners.forEach(ExchangeListener::onWritable);
            return false;
        }

        @Override
        public void complete() {
            seen.add("end");
        }

        @Override
        public void abort(String reason) {
            seen.add("abort " + reason);
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    }

    private static HttpChannel channel() {
        return (HttpChannel)
                Proxy.newProxyInstance(
                        HttpChannel.class.getClassLoader(),
                        new Class<?>[] {HttpChannel.class},
                        (channel, method, arguments) -> null);
    }

    @Test
    void lastWriteIsNotOverBeforeTheAnswerHasEnded() {
        QuickExchange exchange = new QuickExchange();
        LrwpConnector connector = new LrwpConnector(server, LrwpPeer.builder());
        ExchangeStream stream = new ExchangeStream(exchange, channel(), connector, null);
        MetaData.Request request =
                new MetaData.Request(
                        "GET", HttpURI.from("/"), HttpVersion.HTTP_1_1, HttpFields.EMPTY);
        stream.begin(request);
        MetaData.Response response =
                new MetaData.Response(200, null, HttpVersion.HTTP_1_1, HttpFields.EMPTY);

        stream.send(request, response, false, null, Callback.NOOP);
        stream.send(request, null, true, ByteBuffer.allocate(1), Callback.from(stream::succeeded));

        assertEquals(List.of("head", "write", "end"), seen);
    }
}
