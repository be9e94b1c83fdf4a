package org.lrwp.sdk.httpserver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.PeerThreads;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;

/**
 * An {@link HttpServer} that dials in to a proxy instead of opening a port. Handlers, filters and
 * authenticators written for the JDK's server run unchanged.
 *
 * <pre>{@code
 * HttpServer server = PeerHttpServer.of(LrwpPeer.builder().proxy("127.0.0.1:1081").concurrency(64));
 * server.createContext("/app", handler);
 * server.start();
 * }</pre>
 *
 * <p>A context is found as in the JDK's server: the longest path that the request's begins with.
 * The proxy gives it what is below the path, and no more. Without an executor handlers run on
 * threads of the SDK, as many as requests are under way. A handler that throws is 500, and {@code
 * PeerEvent.HandlerFailed}; when it has begun to answer, the client is cut.
 *
 * <p>Thread-safe.
 */
public final class PeerHttpServer extends HttpServer {
    private static final List<HeaderField> TEXT =
            List.of(new HeaderField("Content-Type", "text/plain; charset=utf-8"));

    private final PeerBuilder builder;
    private final Map<String, PeerHttpContext> contexts = new ConcurrentSkipListMap<>();
    private volatile @Nullable Executor executor;
    private volatile @Nullable LrwpPeer peer;

    private PeerHttpServer(PeerBuilder builder) {
        this.builder = builder;
    }

    /**
     * Creates a server that is not started.
     *
     * @param builder where it dials in and how; its contexts and its handler are set here
     * @return the server
     */
    public static PeerHttpServer of(PeerBuilder builder) {
        return new PeerHttpServer(builder);
    }

    /**
     * Fails: there is no address to bind to.
     *
     * @param address not looked at
     * @param backlog not looked at
     */
    @Override
    public void bind(@Nullable InetSocketAddress address, int backlog) throws IOException {
        throw new IOException("a peer dials in: there is no address to bind to");
    }

    /**
     * Dials in, for ever, until {@link #stop}. Needs a context.
     *
     * @throws IllegalStateException when it was started before, or the builder misses something
     */
    @Override
    public synchronized void start() {
        if (peer != null) {
            throw new IllegalStateException("the server was started before");
        }
        contexts.values().forEach(context -> builder.context(context.registered()));
        peer = builder.exchangeHandler(this::serve).connect();
    }

    /** Sets what runs handlers; only before the start, as with the JDK's server. */
    @Override
    public void setExecutor(@Nullable Executor executor) {
        if (peer != null) {
            throw new IllegalStateException("the server was started before");
        }
        this.executor = executor;
    }

    @Override
    public @Nullable Executor getExecutor() {
        return executor;
    }

    /**
     * Tells the proxy, finishes what has begun, and leaves: no request fails.
     *
     * @param delay most seconds that it waits, at least 0; then what is left is cut
     */
    @Override
    public void stop(int delay) {
        if (delay < 0) {
            throw new IllegalArgumentException("delay " + delay + " is negative");
        }
        LrwpPeer started = peer;
        if (started != null) {
            started.close(Duration.ofSeconds(delay));
        }
    }

    @Override
    public HttpContext createContext(String path) {
        return create(path, null);
    }

    @Override
    public HttpContext createContext(String path, HttpHandler handler) {
        return create(path, handler);
    }

    private synchronized HttpContext create(String path, @Nullable HttpHandler handler) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path of a context begins with /: " + path);
        }
        PeerHttpContext context = new PeerHttpContext(this, path, handler);
        if (contexts.putIfAbsent(path, context) != null) {
            throw new IllegalArgumentException("there is a context " + path);
        }
        if (peer != null) {
            peer.register(context.registered());
        }
        return context;
    }

    @Override
    public synchronized void removeContext(String path) {
        PeerHttpContext context = contexts.remove(path);
        if (context == null) {
            throw new IllegalArgumentException("there is no context " + path);
        }
        boolean needed =
                contexts.values().stream()
                        .anyMatch(one -> one.registered().equals(context.registered()));
        if (peer != null && !needed) {
            peer.unregister(context.registered());
        }
    }

    @Override
    public void removeContext(HttpContext context) {
        removeContext(context.getPath());
    }

    /** Returns port 0 of no address in particular: nothing listens. */
    @Override
    public InetSocketAddress getAddress() {
        return new InetSocketAddress(0);
    }

    private void serve(PeerExchange exchange) {
        PeerHttpContext context = context(exchange.request().environment());
        if (context == null) {
            exchange.answer(404, TEXT, text("No context found for request"));
            return;
        }
        PeerHttpExchange http = PeerHttpExchange.of(exchange, context);
        if (http == null) {
            exchange.answer(400, TEXT, text("The path is not a URI"));
            return;
        }
        Executor running = executor;
        PeerThreads.handlers().execute(running == null ? http : () -> give(http, running));
    }

    /**
     * Never within this call of the exchange: an executor may run the handler on the thread that
     * asks it, and the body comes behind the call.
     */
    private static void give(PeerHttpExchange http, Executor running) {
        try {
            running.execute(http);
        } catch (RuntimeException | Error e) {
            http.fail(e);
        }
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Finds the context of a request; null when no path is the beginning of its own. */
    private @Nullable PeerHttpContext context(Map<String, String> environment) {
        String path = path(environment);
        PeerHttpContext found = null;
        for (PeerHttpContext context : contexts.values()) {
            boolean longer = found == null || context.wire().length() > found.wire().length();
            if (longer && path.startsWith(context.wire())) {
                found = context;
            }
        }
        return found;
    }

    /** Returns the path of a request without the one under which the proxy is deployed. */
    private String path(Map<String, String> environment) {
        String script = environment.getOrDefault("SCRIPT_NAME", "");
        String known = "";
        for (PeerHttpContext context : contexts.values()) {
            String name = context.wireRegistered();
            if (name.length() > known.length() && script.endsWith(name)) {
                known = name;
            }
        }
        String path = known + environment.getOrDefault("PATH_INFO", "");
        return path.isEmpty() ? "/" : path;
    }
}
