package org.lrwp.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.time.LineLimit;
import org.lrwp.engine.time.NanoClock;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way of large bodies: by HTTP from node to node, on a port of its own that clients have
 * nothing to do with. A body is let in by a {@link Ticket}, and only by the node that waits for it.
 *
 * <p>Each body that comes has a virtual thread, which waits for its bytes; no other thread waits.
 * The JDK's server has no limit of its own for a request, but an interrupted thread closes its
 * connection: so ends a request without a ticket that takes too long, or is one too many, and a
 * body that nobody wants any more.
 */
final class Direct implements AutoCloseable {
    /** Where bodies go. */
    static final String PATH = "/lrwp/body";

    private static final System.Logger LOG = System.getLogger(Direct.class.getName());
    private static final Duration DIAL = Duration.ofSeconds(2);
    private static final String SCHEME = "Lrwp-Ticket ";
    private static final int BACKLOG = 100;

    /** A request may take so long, but for the time in which a body is waited for. */
    static final Duration REQUEST = Duration.ofSeconds(10);

    /** Requests at once of which nobody waits for the body; further ones are closed. */
    static final int MOST_REQUESTS = 1000;

    private static final int TAKEN = 204;
    private static final int REFUSED = 403;
    private static final int BROKEN = 400;

    /** Anybody who reaches the port can be refused as often as he likes. */
    private static final int LINES_PER_SECOND = 10;

    private final ClusterConfig.Direct config;
    private final Subjects subjects;
    private final Clocks clocks;
    private final Guests guests;
    private final LineLimit refusals;
    private final HttpServer server;
    private final HttpClient client;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("lrwp-cluster-body-", 0).factory());

    /** Since when each thread has a request whose time is limited, in nanoseconds. */
    private final Map<Thread, Long> limited = new ConcurrentHashMap<>();

    private final AtomicInteger taking = new AtomicInteger();

    /**
     * Its time.
     *
     * @param ofDay for tickets
     * @param nanos for durations
     */
    record Clocks(InstantSource ofDay, NanoClock nanos) {}

    /**
     * Opens the port.
     *
     * @throws IOException when it cannot be had
     */
    Direct(ClusterConfig.Direct config, Subjects subjects, Clocks clocks, Guests guests)
            throws IOException {
        this.config = config;
        this.subjects = subjects;
        this.clocks = clocks;
        this.guests = guests;
        this.refusals = new LineLimit(LINES_PER_SECOND, clocks.nanos());
        var address = new InetSocketAddress(config.address(), config.port());
        server = HttpServer.create(address, BACKLOG, PATH, this::take);
        server.setExecutor(this::start);
        server.start();
        client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .proxy(HttpClient.Builder.NO_PROXY)
                        .connectTimeout(DIAL)
                        .executor(threads)
                        .build();
    }

    /** Where others bring bodies. */
    String place() {
        String host = config.address().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getAddress().getPort();
    }

    // ---- Bodies that go.

    /**
     * Sends a body.
     *
     * @return true when it has arrived; false when the other node refuses it
     */
    CompletableFuture<Boolean> send(
            String node, Message.Ready ready, String answers, long length, Upload body) {
        long until = clocks.ofDay().millis() + Ticket.TIME.toMillis();
        var ticket = new Ticket(subjects.node(), node, ready.epoch(), answers, length, until);
        HttpRequest request;
        try {
            request =
                    HttpRequest.newBuilder(URI.create("http://" + ready.place() + PATH))
                            .header("Authorization", SCHEME + ticket.signed(config.secret()))
                            .POST(BodyPublishers.fromPublisher(body, length))
                            .build();
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        return client.sendAsync(request, BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode)
                .thenApply(status -> status == TAKEN);
    }

    // ---- Bodies that come; each on a thread of its own.

    /** Runs a request from its first byte to the end of its answer. */
    private void start(Runnable request) {
        threads.execute(
                () -> {
                    limit();
                    try {
                        if (limited.size() > MOST_REQUESTS) {
                            Thread.currentThread().interrupt();
                        }
                        request.run();
                    } finally {
                        limited.remove(Thread.currentThread());
                    }
                });
    }

    private void limit() {
        limited.put(Thread.currentThread(), clocks.nanos().nanos());
    }

    /** Closes the requests that have taken too long. From any thread. */
    void look() {
        long now = clocks.nanos().nanos();
        limited.forEach(
                (thread, since) -> {
                    if (now - since > REQUEST.toNanos() && limited.remove(thread, since)) {
                        thread.interrupt();
                    }
                });
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String fault = "";
            Guests.@Nullable Awaited guest = null;
            try {
                Ticket ticket = ticket(exchange);
                fault = ticket.fault(subjects, clocks.ofDay().millis());
                guest = fault.isEmpty() ? guests.take(ticket) : null;
            } catch (IllegalArgumentException e) {
                fault = String.valueOf(e.getMessage());
            }
            if (guest == null) {
                tell(exchange, fault.isEmpty() ? "nothing waits for it" : fault);
                exchange.sendResponseHeaders(REFUSED, -1);
                return;
            }
            exchange.sendResponseHeaders(receive(exchange, guest) ? TAKEN : BROKEN, -1);
        }
    }

    private void tell(HttpExchange exchange, String fault) {
        String omitted = refusals.next();
        if (omitted != null) {
            LOG.log(
                    Level.WARNING,
                    "cluster-body-refused address={0} reason=\"{1}\"{2}",
                    exchange.getRemoteAddress().getAddress().getHostAddress(),
                    fault,
                    omitted);
        }
    }

    private Ticket ticket(HttpExchange exchange) {
        String shown = exchange.getRequestHeaders().getFirst("Authorization");
        if (shown == null || !shown.startsWith(SCHEME)) {
            throw new IllegalArgumentException("no ticket");
        }
        if (!exchange.getRequestMethod().equals("POST")
                || exchange.getRequestHeaders().containsKey("X-Forwarded-For")) {
            throw new IllegalArgumentException("it does not come from a node");
        }
        return Ticket.read(shown.substring(SCHEME.length()), config.secret());
    }

    private boolean receive(HttpExchange exchange, Guests.Awaited guest) {
        try (InputStream in = exchange.getRequestBody()) {
            if (limited.remove(Thread.currentThread()) == null) {
                guest.giveUp(); // It has taken too long, and is closed in this moment.
                return false;
            }
            return await(guest, in);
        } catch (IOException e) {
            guest.giveUp();
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            guest.giveUp();
            return false;
        }
    }

    /** The exchange limits this time. */
    private boolean await(Guests.Awaited guest, InputStream in)
            throws IOException, InterruptedException {
        taking.incrementAndGet();
        try {
            return guest.receive(in);
        } finally {
            taking.decrementAndGet();
            limit();
        }
    }

    // ---- Views.

    /** Requests on the port whose time is limited. */
    int limited() {
        return limited.size();
    }

    /** Requests whose bodies are waited for. */
    int taking() {
        return taking.get();
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
        threads.shutdownNow();
    }
}
