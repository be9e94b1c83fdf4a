package org.lrwp.runtime.operation;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.runtime.caller.HostNames;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.json.Json;
import org.lrwp.runtime.metrics.MetricsText;
import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.runtime.operation.Operators.Verdict;
import org.lrwp.runtime.operation.ProgramApi.Answer;
import org.lrwp.runtime.operation.ProgramApi.Command;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The runtime API of something at work, on a port of the loopback address:
 *
 * <pre>
 *   /-/api/v1/...   status, values and actions as JSON: {@link ProgramApi}
 *   /-/metrics      figures for Prometheus
 * </pre>
 *
 * <p>Changes need {@code Authorization: Bearer TOKEN}. A request whose Host is neither a loopback
 * address nor {@code localhost}, or whose Origin is another host, is refused, so that no web page
 * gets here through an operator's browser. A request that is not whole in time ends its connection,
 * and meanwhile holds up no other.
 */
final class AdminEndpoint implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AdminEndpoint.class.getName());
    private static final int BACKLOG = 16;
    private static final int MOST_BODY = 65_536;
    private static final Duration REQUEST_TIME = Duration.ofSeconds(10);
    private static final String METRICS = "/-/metrics";

    /** How long requests under way may take when the endpoint closes. */
    private static final Duration LAST_TIME = Duration.ofSeconds(1);

    private static final Duration AT_ONCE = Duration.ZERO;

    /** An answer, and how long its client waits for it. */
    private record Reply(Answer answer, Duration delay) {
        static Reply of(Answer answer) {
            return new Reply(answer, AT_ONCE);
        }

        static Reply problem(int status, String detail) {
            return of(Answer.problem(status, detail));
        }
    }

    private final Operated subject;
    private final ProgramApi api;
    private final MetricsText metrics;
    private final Operators operators;
    private final HttpServer server;
    private final TimedThreads threads;

    /** The endpoint itself and each request under way: what is asked to end still answers. */
    private final Phaser underWay = new Phaser(1);

    private AdminEndpoint(
            Operated subject, byte @Nullable [] token, HttpServer server, Duration requestTime) {
        this.subject = subject;
        this.api = new ProgramApi(subject);
        this.metrics = new MetricsText(List.of(() -> scrape(subject)));
        this.operators =
                new Operators(
                        token == null ? List.of() : List.of(new Operators.Named("admin", token)),
                        System::nanoTime,
                        "admin-token-file");
        this.server = server;
        this.threads = new TimedThreads("lrwp-admin", requestTime);
    }

    /** Opens the endpoint of what is at work; null when there is none. */
    static @Nullable AdminEndpoint open(Operated subject, Admin admin)
            throws BadConfigurationException {
        return open(subject, admin, REQUEST_TIME);
    }

    /** The same with another time for a request to come. */
    static @Nullable AdminEndpoint open(Operated subject, Admin admin, Duration requestTime)
            throws BadConfigurationException {
        if (admin.port() < 0) {
            return null;
        }
        byte[] token =
                admin.tokenFile() == null
                        ? null
                        : SecretFile.read("admin-token-file", admin.tokenFile());
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), admin.port());
            HttpServer server = HttpServer.create(address, BACKLOG);
            AdminEndpoint endpoint = new AdminEndpoint(subject, token, server, requestTime);
            server.setExecutor(endpoint.threads);
            server.createContext("/", endpoint::handle);
            server.start();
            LOG.log(
                    Level.INFO,
                    "admin-open module={0} address=127.0.0.1:{1}",
                    subject.name(),
                    Integer.toString(endpoint.port()));
            return endpoint;
        } catch (IOException e) {
            throw new BadConfigurationException(
                    "admin-port: " + admin.port() + " cannot be had: " + e.getMessage());
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static MetricSnapshots scrape(Operated subject) {
        var all = new Scrape();
        subject.metrics(all);
        return all.all();
    }

    private void handle(HttpExchange exchange) throws IOException {
        underWay.register();
        try (exchange) {
            Reply reply;
            try {
                reply = reply(exchange);
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "admin-failed module=" + subject.name(), e);
                reply = Reply.problem(500, "The program failed; its log says how.");
            }
            TimeUnit.NANOSECONDS.sleep(reply.delay().toNanos());
            send(exchange, reply.answer());
        } catch (InterruptedException e) {
            // The endpoint is closing: the connection ends without an answer.
            Thread.currentThread().interrupt();
        } finally {
            underWay.arriveAndDeregister();
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
        Headers head = exchange.getResponseHeaders();
        head.set("Content-Type", answer.type());
        head.set("Cache-Control", "no-store");
        if (answer.status() == 401) {
            head.set("WWW-Authenticate", "Bearer");
        }
        boolean bodyless = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status(), bodyless ? -1 : bytes.length);
        if (!bodyless) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        Headers head = exchange.getRequestHeaders();
        String host = head.getFirst("Host");
        if (!HostNames.isLoopback(host)) {
            return Reply.problem(403, "Host is neither a loopback address nor localhost.");
        }
        if (Caller.isForeignPage(head.getFirst("Origin"), host)) {
            return Reply.problem(403, "This is not for pages of other hosts.");
        }
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        boolean looks = method.equals("GET") || method.equals("HEAD");
        if (looks && path.equals(METRICS)) {
            MetricsText.Written now = metrics.write(head.getFirst("Accept"));
            return Reply.of(new Answer(200, now.contentType(), now.text()));
        }
        if (!path.startsWith(ProgramApi.HEAD)) {
            return Reply.problem(404, "Here are only " + ProgramApi.HEAD + " and " + METRICS + ".");
        }
        String rest = path.substring(ProgramApi.HEAD.length());
        return looks ? Reply.of(api.look(rest)) : act(exchange, method, rest);
    }

    private Reply act(HttpExchange exchange, String method, String path) throws IOException {
        Command command = Command.of(method, path);
        if (command == null) {
            boolean known = api.look(path).status() == 200;
            return Reply.of(
                    known
                            ? Answer.problem(405, method + " is not for " + path + ".")
                            : ProgramApi.missing(path));
        }
        Headers head = exchange.getRequestHeaders();
        Operators.Judgement judged =
                operators.judge(
                        head.getFirst("Authorization"), exchange.getRemoteAddress().getAddress());
        Verdict verdict = judged.verdict();
        Origin origin = origin(exchange, judged.name());
        if (verdict != Verdict.ALLOWED) {
            subject.configuration().refuse(origin, operators.sentence(verdict));
            return refusal(verdict);
        }
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
        TimedThreads.untimed();
        if (body.length > MOST_BODY) {
            return Reply.problem(413, "The body is longer than " + MOST_BODY + " bytes.");
        }
        if (body.length > 0 && !Json.isNamed(head.getFirst("Content-Type"))) {
            return Reply.problem(415, "The body has to be " + ProgramApi.JSON + ".");
        }
        return Reply.of(api.act(command, body, origin));
    }

    private Reply refusal(Verdict verdict) {
        int status =
                switch (verdict) {
                    case MISSING, WRONG -> 401;
                    case TOO_MANY -> 429;
                    case ALLOWED, CLOSED -> 403;
                };
        TimedThreads.untimed();
        return new Reply(
                Answer.problem(status, operators.sentence(verdict)),
                verdict == Verdict.WRONG ? Operators.PENALTY : AT_ONCE);
    }

    private static Origin origin(HttpExchange exchange, String identity) {
        String address = exchange.getRemoteAddress().getAddress().getHostAddress();
        return new Origin(Origin.Kind.HTTP, address, new Origin.Proof(identity, ""));
    }

    @Override
    public void close() {
        try {
            underWay.awaitAdvanceInterruptibly(
                    underWay.arrive(), LAST_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.log(Level.DEBUG, "admin-cut module={0}", subject.name());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.close();
    }
}
