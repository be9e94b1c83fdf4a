package org.lrwp.webapp.servlet;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.network.Network;
import org.lrwp.webapp.client.ActiveRequest;
import org.lrwp.webapp.client.AddressCounts;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.RequestLine;
import org.lrwp.webapp.client.StallWatch;
import org.lrwp.webapp.config.AddressLimits;
import org.lrwp.webapp.config.ClientConfig;
import org.lrwp.webapp.config.HttpsRules;
import org.lrwp.webapp.config.RequestConfig;
import org.lrwp.webapp.config.TrafficConfig;
import org.lrwp.webapp.config.WriteAhead;
import org.lrwp.webapp.inspector.Inspector;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traffic.ClientShares;
import org.lrwp.webapp.traffic.Compressors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** One client of a container that is played by the test. */
final class ClientFixture implements AutoCloseable {
    static final Duration REST_TIME = Duration.ofSeconds(30);
    final FakeInput in = new FakeInput();
    final FakeOutput out = new FakeOutput();
    final FakeLink link = new FakeLink();
    final AtomicLong nanos = new AtomicLong();
    final List<ExchangeRecord> log = new ArrayList<>();
    final Map<String, List<String>> headers = new HashMap<>();
    final StallWatch stalls = new StallWatch();
    final HttpServletRequest request = mock(HttpServletRequest.class);
    final HttpServletResponse response = mock(HttpServletResponse.class);
    final AsyncContext async = mock(AsyncContext.class);
    final ClientSettings settings;
    private final SpoolStore store;
    private @Nullable ServletStream stream;
    int status = 200;
    int completed;
    int dispatched;

    ClientFixture(Path folder) throws IOException {
        store = new SpoolStore(new SpoolConfig(folder, 64, 1 << 20, 1 << 20, 1 << 20));
        var env = new EnvConfig("LRWP", "1", true, Network.LOOPBACK, "", 65_536);
        RequestConfig limits =
                new RequestConfig(
                        env,
                        4096,
                        100,
                        Duration.ofSeconds(60),
                        new WriteAhead(65_536, 0),
                        1,
                        new ClientConfig(
                                false,
                                Duration.ofSeconds(30),
                                REST_TIME,
                                0,
                                AddressLimits.NONE,
                                false),
                        new HttpsRules(0, Duration.ZERO),
                        TrafficConfig.NONE,
                        Set.of("console.test"));
        settings =
                new ClientSettings(
                        () -> limits,
                        nanos::get,
                        stalls,
                        new DateField(InstantSource.fixed(Instant.EPOCH)),
                        log::add,
                        new AddressCounts("requests", 0, List.of(), nanos::get),
                        new ClientShares(nanos::get),
                        new Compressors(),
                        new Inspector(() -> TrafficConfig.NONE, InstantSource.system()),
                        RequestFollower.NOBODY);
        stubResponse();
        when(request.getInputStream()).thenReturn(in);
        when(request.startAsync()).thenReturn(async);
        when(async.getRequest()).thenReturn(request);
        when(async.getResponse()).thenReturn(response);
        doAnswer(call -> completed++).when(async).complete();
        doAnswer(call -> dispatched++).when(async).dispatch(ServletStream.AGAIN);
    }

    private void stubResponse() throws IOException {
        when(response.getOutputStream()).thenReturn(out);
        when(response.getBufferSize()).thenReturn(8);
        when(response.getStatus()).thenAnswer(call -> status);
        doAnswer(call -> status = call.getArgument(0)).when(response).setStatus(anyInt());
        doAnswer(call -> add(call.getArgument(0), call.getArgument(1), false))
                .when(response)
                .addHeader(anyString(), anyString());
        doAnswer(call -> add(call.getArgument(0), call.getArgument(1), true))
                .when(response)
                .setHeader(anyString(), anyString());
        doAnswer(call -> add("Content-Type", call.getArgument(0), true))
                .when(response)
                .setContentType(any());
        doAnswer(call -> add("Content-Length", call.getArgument(0).toString(), true))
                .when(response)
                .setContentLength(anyInt());
        doAnswer(call -> add("Content-Length", call.getArgument(0).toString(), true))
                .when(response)
                .setContentLengthLong(anyLong());
        when(response.getHeader(anyString())).thenAnswer(call -> header(call.getArgument(0)));
        when(response.containsHeader(anyString()))
                .thenAnswer(call -> header(call.getArgument(0)) != null);
    }

    private Object add(String name, String value, boolean replace) {
        List<String> values =
                headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>());
        if (replace) {
            values.clear();
        }
        return values.add(value);
    }

    @Nullable String header(String name) {
        List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
        return values == null ? null : values.getFirst();
    }

    ActiveRequest client(long bodyLength) {
        return client(bodyLength, false);
    }

    ActiveRequest client(long bodyLength, boolean last) {
        var kept =
                new RequestLine(
                        "id-1",
                        "::1",
                        "GET",
                        () -> "/x",
                        () -> null,
                        bodyLength,
                        last,
                        "servlet",
                        0,
                        RequestDetails.NONE);
        stream = stream();
        return new ActiveRequest(stream, kept, settings);
    }

    ServletStream stream() {
        return new ServletStream(async, link, settings.date());
    }

    /** Starts a client as the servlet does. */
    void start(ActiveRequest client) {
        client.start(null);
        if (stream != null) {
            stream.returned();
        }
    }

    /** Bytes of all spools in memory and in files. */
    long spooled() {
        return store.memoryBytes() + store.diskBytes();
    }

    Spool spool() {
        return store.forAnswer();
    }

    static AnswerHead head(long length) {
        return head(200, length, false);
    }

    static AnswerHead head(int status, long length, boolean bodyless) {
        var fields = List.of(new HeaderField("X-A", "1"), new HeaderField("X-A", "2"));
        return new AnswerHead(status, "Fine", fields, length, bodyless);
    }

    static void append(Spool spool, String text) {
        try {
            spool.append(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSpaceException e) {
            throw new IllegalStateException(e);
        }
    }

    void passSeconds(long seconds) {
        for (long i = 0; i < seconds; i++) {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            stalls.look();
        }
    }

    boolean isOver() {
        return completed + dispatched == 1;
    }

    @Override
    public void close() {
        stalls.close();
    }
}
